import { isJsonObject, type JsonObject } from '../json/json';
import { firstErrorIn } from '../json/syntax';
import type { Problem } from './problem';
import { readTextFile } from './text-file';

/**
 * The JSON object in a file of the assembly, or `undefined` and a problem that names the file.
 *
 * `shownAs` is how messages call the file: its path relative to the assembly.
 */
export function readJsonFile(file: string, shownAs: string, problems: Problem[]): JsonObject | undefined {
  const text = readText(file, shownAs, problems);
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
    problems.push({ where: shownAs, message: 'is not a JSON object; run `cdk synth` again to rewrite it' });
  } catch {
    problems.push({
      where: shownAs,
      message: `is not valid JSON (${firstErrorIn(text)}); run \`cdk synth\` again to rewrite it`,
    });
  }
  return undefined;
}

/** The text of a file of the assembly, or `undefined` and a problem that names the file. */
export function readText(file: string, shownAs: string, problems: Problem[]): string | undefined {
  const read = readTextFile(file);
  if ('text' in read) return read.text;
  problems.push({ where: shownAs, message: `${read.fault}; run \`cdk synth\` to write the cloud assembly` });
  return undefined;
}
