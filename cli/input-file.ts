import { type InputText, readTextFile, textOf } from '../packages/local/assembly/text-file';
import { duplicateMemberIn } from '../packages/local/json/duplicate-member';
import { usage } from './program/rejection';

/**
 * The text of a file that the user names: in UTF-8, without its byte order mark.
 *
 * @param option - the option that names the file, such as `--input`
 *
 * @throws Rejection for a file that cannot be read, is not UTF-8, or is too long
 */
export function textOfFile(file: string, option?: string): string {
  return textIn(readTextFile(file), option === undefined ? file : `${option}: ${file}`);
}

/** The text of bytes that the user sends by stdin, by the same rules. @throws Rejection */
export function textOfStdin(bytes: Uint8Array): string {
  return textIn(textOf(bytes), 'stdin');
}

function textIn(read: InputText, subject: string): string {
  if ('text' in read) return read.text;
  throw usage(`${subject} ${read.fault}`);
}

/**
 * The JSON value of a text, as its writer means it: without members that are there twice, and without numbers that
 * would be rounded on their way.
 *
 * @param name - the subject of a message about the text, such as `--input`
 *
 * @throws Rejection that says where the text is wrong, and quotes nothing of it but names of members
 */
export function jsonIn(text: string, name: string): unknown {
  if (text.trim() === '') throw usage(`${name} is empty; it must be a JSON document`);
  const value = parseJson(text, name);
  requireMembersOnce(text, name);
  const outsideTexts = text.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  const wholeNumbers = outsideTexts.match(/(?<![\d.eE+-])-?\d+(?![\d.eE])/g) ?? [];
  if (wholeNumbers.some(digits => !Number.isSafeInteger(Number(digits)))) {
    throw usage(
      `${name} has a whole number beyond ±(2^53 - 1), which would be rounded. Write it as a string`,
    );
  }
  return value;
}

/** Rejects JSON text that has a member twice: reading would drop the first one silently. @throws Rejection */
export function requireMembersOnce(text: string, name: string): void {
  const member = duplicateMemberIn(text);
  if (member !== undefined) throw usage(`${name} has the member ${member} twice; leave one of them out`);
}

/**
 * The JSON value of a text that another program has written, such as CDK: of a member that is there twice it has the
 * last one, as that program does.
 *
 * @throws Rejection that quotes nothing of the text
 */
export function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // Node's message may quote the text.
    const at = /position (\d+)/.exec((error as Error).message)?.[1];
    const line = at === undefined ? undefined : text.slice(0, Number(at)).split('\n').length;
    throw usage(`${name} is not a valid JSON document${line === undefined ? '' : `; check line ${line}`}`);
  }
}
