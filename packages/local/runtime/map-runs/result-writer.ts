import type { Execution } from '../../engine/index';
import { isJsonObject, type Json, type JsonObject } from '../../json/json';
import { type Answering, answerTo, InFlightCall } from '../calls/answer';
import type { EndedChildren } from './map-run';
import type { Reader } from './read-items';

/** What exporting results came to: the result of the state, or why they could not be written. */
export type Written =
  | { readonly kind: 'written'; readonly output: JsonObject }
  | { readonly kind: 'failed'; readonly cause: string };

export interface WriterPorts {
  readonly answering: Answering;
  readonly writer: Reader;
  readonly mapRunArn: string;
  /** The evaluated arguments of the ResultWriter. */
  readonly destination: Json;
}

/**
 * Writes the ends of the executions of a Map Run into a bucket, under the prefix and the id of the run: one object for
 * each kind of end, and `manifest.json` with their keys.
 */
export async function writeResults(children: EndedChildren, ports: WriterPorts): Promise<Written> {
  const { mapRunArn, destination } = ports;
  const { Bucket: bucket, Prefix: prefix = '' } = isJsonObject(destination) ? destination : {};
  if (typeof bucket !== 'string' || typeof prefix !== 'string')
    return { kind: 'failed', cause: 'The ResultWriter needs a Bucket, and a Prefix that is a text' };
  const folder = [...(prefix === '' ? [] : [prefix.replace(/\/$/, '')]), mapRunArn.split(':').at(-1)].join(
    '/',
  );
  const files: Record<string, Json> = { FAILED: [], PENDING: [], SUCCEEDED: [] };
  for (const [name, results] of Object.entries(resultsOf(children))) {
    if (results.length === 0) continue;
    const key = `${folder}/${name}_0.json`;
    const failure = await put({ bucket, key, body: results }, ports);
    if (failure !== undefined) return { kind: 'failed', cause: failure };
    files[name] = [{ Key: key, Size: Buffer.byteLength(JSON.stringify(results)) }];
  }
  const manifest = { DestinationBucket: bucket, MapRunArn: mapRunArn, ResultFiles: files };
  const key = `${folder}/manifest.json`;
  const failure = await put({ bucket, key, body: manifest }, ports);
  if (failure !== undefined) return { kind: 'failed', cause: failure };
  return {
    kind: 'written',
    output: { MapRunArn: mapRunArn, ResultWriterDetails: { Bucket: bucket, Key: key } },
  };
}

function resultsOf({ machine, executions }: EndedChildren) {
  const ordered = [...executions].sort(([one], [other]) => one - other).map(([, execution]) => execution);
  const results = (isWanted: (execution: Execution) => boolean) =>
    ordered.filter(isWanted).map(execution => resultOf(execution, machine.arn));
  return {
    FAILED: results(({ status }) => status !== 'SUCCEEDED'),
    SUCCEEDED: results(({ status }) => status === 'SUCCEEDED'),
  };
}

function resultOf(execution: Execution, stateMachineArn: string): JsonObject {
  const { arn, name, input, status, startedAt, end, redriveCount } = execution;
  return {
    ...(end?.cause !== undefined && { Cause: end.cause }),
    ...(end?.error !== undefined && { Error: end.error }),
    ExecutionArn: arn,
    Input: input.text,
    InputDetails: { Included: true },
    Name: name,
    ...(end?.output && { Output: end.output.text, OutputDetails: { Included: true } }),
    RedriveCount: redriveCount,
    StartDate: new Date(startedAt).toISOString(),
    StateMachineArn: stateMachineArn,
    Status: status,
    StopDate: new Date(end?.at ?? startedAt).toISOString(),
  };
}

/** Why an object could not be put, if so. */
async function put(
  { bucket, key, body }: { readonly bucket: string; readonly key: string; readonly body: Json },
  { answering, writer }: WriterPorts,
): Promise<string | undefined> {
  const given = { Bucket: bucket, Key: key, Body: body, ContentType: 'application/json' };
  const call = { resource: 'aws-sdk:s3:putObject', arguments: given, ...writer, retryCount: 0 };
  const result = await answerTo(call, new InFlightCall(), answering);
  return result.kind === 'failed' ? result.cause : undefined;
}
