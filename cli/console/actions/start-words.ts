import type { StartWords } from '../../actions/start';
import {
  belongsElsewhere,
  type KeyProblem,
  noKey,
  readKeyText,
  VALID_KEY,
} from '../../key/input/key-problem';
import { printable } from '../../text';

/** What the form has fields for. */
const FIELDS: Readonly<Record<string, string>> = { key: 'the key', input: 'the input' };

/** With the fields of the form that starts a workflow. */
export const ON_PAGE: StartWords = {
  input: 'the input',
  whoUsedIt: 'the page of the key shows which execution used it',
  option: name => FIELDS[name],
  problem,
};

function problem(found: KeyProblem): string {
  switch (found.kind) {
    case 'parts':
      return found.expected === 'one'
        ? `nothing was started, because the key of ${found.name} has one part, got ${found.given}`
        : `nothing was started, because the key of ${found.name} has ${found.expected} parts, got ${found.given}. ` +
            'Enter all of them as JSON, such as ["shop-1",4711]';
    case 'missing':
      return `nothing was started, because the input ${noKey(found)}. ${VALID_KEY}`;
    case 'unclear':
      return (
        `nothing was started, because onceflow cannot compute the key of the input for ${found.name}: ${found.why}. ` +
        'If you know that it is this key, run `onceflow start` with --force'
      );
    case 'another': {
      const entered = `Enter ${keyToEnter(found.taken)}, or the input of ${printable(found.text)}`;
      return `nothing was started, because ${belongsElsewhere(found)}. ${entered}`;
    }
  }
}

function keyToEnter(text: string): string {
  const { form, value } = readKeyText(text);
  switch (form) {
    case 'long':
      return 'the whole key of this input';
    case 'number':
      return `${value} as a whole number`;
    case 'json':
      return `${printable(value)} as JSON`;
    case 'text':
      return `${printable(value)} as a text`;
  }
}
