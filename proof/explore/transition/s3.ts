import type { JsonObject } from '../../../packages/local/json/json';
import type { Item } from '../../../packages/local/services/dynamodb/table/attribute-value';
import type { Call } from '../model/execution-state';
import type { ModelState } from '../model/model-state';
import { sha256 } from '../model/sha256';
import type { StateSpace } from '../model/state-space';
import { type Step, silent } from './step';
import type { Served } from './step-functions';

/** PutObject: what is there is replaced, and its hash told where that is asked for. */
export function putObject(space: StateSpace, model: ModelState, { arguments: given }: Call): Served {
  const { Body = null, ChecksumAlgorithm: algorithm } = given;
  const text = JSON.stringify(Body);
  const table = space.withObject(model.table, locationOf(given), { text: { S: text } });
  const output: JsonObject = algorithm === 'SHA256' ? { ChecksumSHA256: sha256(text, 'base64') } : {};
  const result = { kind: 'succeeded' as const, output };
  return { model: { ...model, table }, result };
}

/** GetObject, with the hash of the object if the request asks for it. */
export function getObject(space: StateSpace, model: ModelState, { arguments: given }: Call): Served {
  const text = textAt(space, model, locationOf(given));
  if (text === undefined)
    return { model, result: { kind: 'failed', error: 'S3.NoSuchKeyException', cause: '' } };
  const hash: JsonObject =
    given['ChecksumMode'] === 'ENABLED' ? { ChecksumSHA256: sha256(text, 'base64') } : {};
  return { model, result: { kind: 'succeeded', output: { Body: text, ...hash } } };
}

/** Whether the object that a record names is there, and the very one. */
export function isNamed(space: StateSpace, model: ModelState, record: Item | undefined): boolean {
  const [location, hash] = [record?.['resultLocation']?.['S'], record?.['resultHash']?.['S']];
  const text = typeof location === 'string' ? textAt(space, model, location) : undefined;
  return text !== undefined && sha256(text, 'base64') === hash;
}

/** The text of the object at this place; undefined where there is none. */
export function textAt(space: StateSpace, { table }: ModelState, location: string): string | undefined {
  const text = space.objectOf(table, location)?.['text']?.['S'];
  return typeof text === 'string' ? text : undefined;
}

/** Faults: an operator deletes the object that a finished record names, or replaces it. */
export function tampers(space: StateSpace, model: ModelState): Step[] {
  const record = space.recordOf(model);
  const location = record?.['resultLocation']?.['S'];
  if (typeof location !== 'string' || !isNamed(space, model, record)) return [];
  const faulty = { ...model, faults: model.faults - 1 };
  const replaced = space.withObject(model.table, location, { text: { S: '{"charge":"forged"}' } });
  return [
    silent('unput', { ...faulty, table: space.withObject(model.table, location, undefined) }),
    silent('forge', { ...faulty, table: replaced }),
  ];
}

function locationOf({ Bucket = '', Key = '' }: JsonObject): string {
  return `s3://${Bucket}/${Key}`;
}
