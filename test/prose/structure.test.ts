import { structureBreaches } from './structure';

describe('the structure of the pages', () => {
  const README = {
    path: 'README.md',
    text: '`npm ci && npm run demo` and `npm ci && npm test` ![](docs/images/a.svg)',
  };

  test('a README with its commands, an image that is shown, a page that says when you need it: nothing is wrong', () => {
    const page = { path: 'docs/guide/page.md', text: '# Page\n\nA page. You need it at night.\n' };

    expect(structureBreaches([README, page], ['a.svg'])).toEqual([]);
  });

  test.each([
    ['a README without its commands', [{ ...README, text: '' }], [], 2],
    ['an image that no page shows', [README], ['b.svg'], 1],
    [
      'a page that does not say when you need it',
      [README, { path: 'docs/guide/page.md', text: '# Page\n\nA page.\n' }],
      [],
      1,
    ],
  ])('%s is rejected', (_what, pages, images, count) => {
    expect(structureBreaches(pages, images)).toHaveLength(count);
  });
});
