import { structureBreaches } from './structure';

describe('the structure of the pages', () => {
  const README = {
    path: 'README.md',
    text: '`npm ci && npm run demo` and `npm ci && npm test` ![](docs/images/a.svg)',
  };

  const DECISION = 'docs/decisions/0001-one.md';
  const DECIDED = ['# 1. One', '', '## Context', '## Decision: one', '## Consequences'];
  const LINES = Array.from({ length: 56 }, () => 'A line.');
  const REPLACED = '# 1. One\n\nStatus: replaced by [decision 2](0002-two.md): two.';

  test.each([DECIDED.join('\n'), REPLACED])('a decision in its form: nothing is wrong', text => {
    expect(structureBreaches([README, { path: DECISION, text }], ['a.svg'])).toEqual([]);
  });

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
    [
      'a decision without its consequences',
      [README, { path: DECISION, text: DECIDED.slice(0, 4).join('\n') }],
      [],
      1,
    ],
    ['a decision of 61 lines', [README, { path: DECISION, text: [...DECIDED, ...LINES].join('\n') }], [], 1],
    [
      'a replaced decision that goes on',
      [README, { path: DECISION, text: `${REPLACED}\nIt said more.` }],
      [],
      3,
    ],
  ])('%s is rejected', (_what, pages, images, count) => {
    expect(structureBreaches(pages, images)).toHaveLength(count);
  });
});
