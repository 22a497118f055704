import { breaches } from './rules';

/** A sentence that breaks one rule, what is said of it, and a good sentence with the same meaning. */
const RULES: readonly (readonly [bad: string, found: string, good: string])[] = [
  ['Nobody reads the log.', 'name the actor', 'The dispatcher does not read the log.'],
  ['Whoever has the key can release it.', 'name the actor', 'An operator with the key can release it.'],
  [
    'Where the name is taken, the record decides.',
    'write "If …"',
    'If the name is taken, the record decides.',
  ],
  ['Stop it, where it runs.', 'write "if …"', 'Stop it if it is running.'],
  ['What cannot be started is kept.', 'begin with a noun', 'Events that cannot be started are stored.'],
  ['Mend the role.', 'write "fix"', 'Fix the role.'],
  ['The caller is told the error.', 'write "is notified"', 'The caller gets the error.'],
  ['A fraction is no key.', 'write "is not a …"', 'A fraction is not a valid key.'],
  ['The owner is brought back.', 'write "resumed"', 'The owner is resumed.'],
  ['The event has its end.', 'write "completed"', 'The event is completed.'],
  ['A dead owner keeps its key.', 'write "ended"', 'An ended execution keeps its key.'],
  ['It dies in its step.', '"interrupted"', 'It is interrupted in its step.'],
  ['The option has to be a list.', 'write "must"', 'The option must be a list.'],
  ['All but the last are read.', 'write "except"', 'All except the last are read.'],
  ['The lease ends by itself.', 'write "automatically"', 'The lease ends automatically.'],
  ['The behaviour differs.', 'use American spelling', 'The behavior differs.'],
  [`${'word '.repeat(36)}.`, '36 words', `${'word '.repeat(35)}.`],
];

describe('the rules of the style guide', () => {
  test.each(RULES)('%s', (bad, found, good) => {
    expect(breaches(bad)).toEqual([expect.stringContaining(found)]);
    expect(breaches(good)).toEqual([]);
  });

  test.each([
    'There is no queue with this name.',
    'The record is no longer there.',
    'What does the next delivery do?',
    'Where does the workflow store its records, and how long?',
    'The page where it stands is cached.',
  ])('leave alone: %s', sentence => {
    expect(breaches(sentence)).toEqual([]);
  });
});
