import type { ItemSource } from '../../engine/index';
import { isJsonObject, type Json, type JsonObject } from '../../json/json';
import { type Answering, answerTo, InFlightCall } from '../calls/answer';
import type { JobResult, ServiceCall } from '../calls/service';
import { parseItems, type ReadItems } from './parse-items';

/** Items of one Map Run (a limit of this runtime; the service has none that is as small). */
const ITEMS_MAX = 100_000;

/** Who reads: for the calls that are made. */
export type Reader = Pick<ServiceCall, 'executionArn' | 'stateName'>;

/** Reads the items of a Map Run from S3, through the integrations that a Task would call. */
export async function readItems(
  { source, arguments: given, format, maxItems }: ItemSource,
  reader: Reader,
  answering: Answering,
): Promise<ReadItems> {
  if (maxItems !== undefined && maxItems <= 0)
    return { kind: 'unreadable', reason: 'field MaxItems must be positive' };
  const call = (operation: string, args: Json) => answered(operation, args, reader, answering);
  const read =
    source === 'listing'
      ? await listed(given, maxItems ?? ITEMS_MAX, call)
      : await objectItems(await call('getObject', given), format);
  if (read.kind === 'unreadable') return read;
  const items = maxItems === undefined ? read.items : read.items.slice(0, maxItems);
  if (items.length <= ITEMS_MAX) return { kind: 'items', items };
  const reason = `The Map Run would have ${items.length} items, and the local runtime reads ${ITEMS_MAX} at most`;
  return { kind: 'unreadable', reason };
}

type Call = (operation: string, args: Json) => Promise<JobResult>;

function objectItems(result: JobResult, format: ItemSource['format']): ReadItems {
  if (result.kind === 'failed') return { kind: 'unreadable', reason: result.cause };
  const body = isJsonObject(result.output) ? result.output['Body'] : undefined;
  return parseItems(typeof body === 'string' ? body : '', format);
}

/** The objects of a bucket, page by page. */
async function listed(given: Json, max: number, call: Call): Promise<ReadItems> {
  const items: Json[] = [];
  let token: string | undefined;
  do {
    const args = isJsonObject(given) ? given : {};
    const result = await call(
      'listObjectsV2',
      token === undefined ? args : { ...args, ContinuationToken: token },
    );
    if (result.kind === 'failed') return { kind: 'unreadable', reason: result.cause };
    const page: JsonObject = isJsonObject(result.output) ? result.output : {};
    const contents = Array.isArray(page['Contents']) ? page['Contents'] : [];
    items.push(...contents.flatMap(object => (isJsonObject(object) ? [listedItem(object)] : [])));
    token = typeof page['NextContinuationToken'] === 'string' ? page['NextContinuationToken'] : undefined;
  } while (token !== undefined && items.length <= max);
  return { kind: 'items', items };
}

/** As the service hands it on: with names and a time of its own. */
function listedItem({ ETag, LastModified, Key, Size, StorageClass }: JsonObject): JsonObject {
  return {
    Etag: ETag ?? null,
    LastModified: Math.floor(Date.parse(String(LastModified)) / 1000),
    Key: Key ?? null,
    Size: Size ?? null,
    StorageClass: StorageClass ?? null,
  };
}

async function answered(
  operation: string,
  args: Json,
  reader: Reader,
  answering: Answering,
): Promise<JobResult> {
  const call: ServiceCall = {
    resource: `aws-sdk:s3:${operation}`,
    arguments: args,
    ...reader,
    retryCount: 0,
  };
  const result = await answerTo(call, new InFlightCall(), answering);
  return result.kind === 'submitted' ? result.result : result;
}
