import { breaches } from './rules';
import { structureBreaches } from './structure';

describe('a sentence', () => {
  test.each([
    ['Nobody knows.', 'name the actor'],
    ['Where a name is taken, the start fails.', 'write "If …"'],
    ['The step runs, where it can.', 'write "if …"'],
    ['What cannot be started is kept.', 'begin with a noun'],
    ['Recovery mends it.', 'write "fix"'],
    ['The caller is told of it.', 'write "is notified", "gets" or "reports"'],
    ['A text is no number.', 'write "is not a …"'],
    ['The key is brought back.', 'write "resumed" or "completed"'],
    ['The key has its end.', 'write "completed"'],
    ['Recovery looks for dead owners.', 'write "ended execution"'],
    ['The key has to be unique.', 'write "must"'],
    ['All but one fail.', 'write "except"'],
    ['It passes by itself.', 'write "automatically"'],
    ['Its behaviour changes.', 'use American spelling'],
    [`${'word '.repeat(36)}.`, '36 words: at most 35, split it'],
  ])('%s is rejected', (sentence, instead) => {
    expect(breaches(sentence).join()).toContain(instead);
  });

  test.each([
    'If the name is in use, the start fails.',
    'Where does the event go?',
    'There is no name, and it is no longer in use.',
    `${'word '.repeat(35)}.`,
  ])('%s is accepted', sentence => {
    expect(breaches(sentence)).toEqual([]);
  });
});

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
