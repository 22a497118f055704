import type { StartWords } from '../actions/start';
import { belongsElsewhere, type KeyProblem, noKey, readKeyText } from '../key/key-problem';
import { printable } from '../text';

/** What the form has fields for. */
const FIELDS: Readonly<Record<string, string>> = { key: 'the key', input: 'the input' };

/** With the fields of the form that starts a workflow. */
export const ON_PAGE: StartWords = {
  input: 'the input',
  whoUsedIt: 'see the page of the key for who used it',
  option: name => FIELDS[name],
  problem,
};

function problem(found: KeyProblem): string {
  switch (found.kind) {
    case 'parts':
      return found.expected === 'one'
        ? `${found.name} has one key, got ${found.given}; nothing was started`
        : `the key of ${found.name} has ${found.expected} parts, got ${found.given}; nothing was started. ` +
            'Enter all of them as JSON, such as ["shop-1",4711]';
    case 'missing':
      return `the input ${noKey(found)}; nothing was started`;
    case 'unclear':
      return (
        `which key ${found.name} takes of the input cannot be said here: ${found.why}; nothing was started. ` +
        'Where you know that it is this key, `onceflow start` on the command line takes --force'
      );
    case 'another': {
      const entered = `Enter ${keyToEnter(found.taken)}, or the input of ${printable(found.text)}`;
      return `${belongsElsewhere(found)}; nothing was started. ${entered}`;
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
