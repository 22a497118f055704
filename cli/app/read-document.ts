import { readDocument as read } from '../../packages/local/assembly/read-document';
import { usage } from '../program/rejection';

/** An object of a JSON or YAML file. */
export type Document = Readonly<Record<string, unknown>>;

/**
 * The object in a JSON or YAML file, with the short forms of CloudFormation's functions.
 *
 * @throws Rejection that names the file, if it cannot be read or has something else
 */
export function readDocument(file: string): Document {
  const document = read(file, { isStrict: true });
  if (typeof document === 'string') throw usage(`${file} ${document}`);
  return document;
}
