import { isJsonObject, type Json, type JsonObject } from '../../../json/json';
import type { EventEntry } from '../event';

/**
 * A PutEvents request of a custom event bus.
 *
 * @example
 * await stack.putEvents({ EventBusArn: bus.arn, Entries: [{ Source: 'shop.orders', DetailType: 'OrderPlaced' }] });
 */
export interface CustomPutEventsRequest {
  readonly EventBusArn: string;
  /** 1 to 100 entries. */
  readonly Entries: readonly {
    readonly Source: string;
    readonly DetailType: string;
    /** JSON text of an object. @default - {} */
    readonly Detail?: string;
    readonly Resources?: readonly string[];
    /** A date, or epoch seconds. @default - now */
    readonly Time?: Date | number;
  }[];
}

/** A request that is rejected as a whole, by the name of the service's error. */
export class CustomBusError extends Error {
  override readonly name: 'InvalidInputException' | 'ResourceNotFoundException' | 'UnknownOperationException';

  constructor(name: CustomBusError['name'], message: string) {
    super(message);
    this.name = name;
  }
}

const ENTRIES_MAX = 100;
const REQUEST_BYTES_MAX = 1_048_576;
const LENGTHS_MAX = { Source: 256, DetailType: 128 } as const;
const RESOURCES_MAX = 100;
const ENTRY_MEMBERS = ['Source', 'DetailType', 'Detail', 'Resources', 'Time'];

/** Reads a request. @throws CustomBusError for what the service, or the local runtime, rejects as a whole */
export function readRequest(request: unknown): { busArn: string; entries: readonly EventEntry[] } {
  if (!isJsonObject(request as Json)) invalid('the request must be a map');
  const { EventBusArn: busArn, Entries: listed, ...others } = request as JsonObject;
  const [other] = Object.keys(others).filter(name => others[name] !== undefined);
  if (other !== undefined) invalid(`the local runtime has no ${other}`);
  if (typeof busArn !== 'string') invalid('EventBusArn must be an ARN');
  if (!Array.isArray(listed) || listed.length < 1 || listed.length > ENTRIES_MAX)
    invalid(`Entries must be a list of 1 to ${ENTRIES_MAX} entries`);
  const entries = listed.map((entry, index) => readEntry(entry, `Entries[${index}]`));
  const bytes = entries.reduce((sum, entry) => sum + bytesOf(entry), 0);
  if (bytes > REQUEST_BYTES_MAX)
    invalid(`the entries must have at most ${REQUEST_BYTES_MAX} bytes together, got ${bytes}`);
  return { busArn, entries };
}

function readEntry(entry: unknown, where: string): EventEntry {
  if (!isJsonObject(entry as Json)) invalid(`${where} must be a map`);
  const { Source, DetailType, Detail, Resources = [], Time, ...others } = entry as JsonObject;
  const [other] = Object.keys(others).filter(name => others[name] !== undefined);
  if (other !== undefined)
    invalid(`${where} must have ${ENTRY_MEMBERS.join(', ')} only, because the local runtime has no ${other}`);
  for (const [name, value] of [
    ['Source', Source],
    ['DetailType', DetailType],
  ] as const) {
    const max = LENGTHS_MAX[name];
    if (typeof value !== 'string' || value.length < 1 || value.length > max)
      invalid(`${where}.${name} must be a text of 1 to ${max} characters`);
  }
  if (Detail !== undefined && typeof Detail !== 'string') invalid(`${where}.Detail must be JSON text`);
  const areTexts = Array.isArray(Resources) && Resources.every(one => typeof one === 'string');
  if (!areTexts || Resources.length > RESOURCES_MAX)
    invalid(`${where}.Resources must be a list of at most ${RESOURCES_MAX} texts`);
  const time = timeOf(Time);
  if (Number.isNaN(time)) invalid(`${where}.Time must be a date, or epoch seconds`);
  return {
    source: Source as string,
    detailType: DetailType as string,
    ...(typeof Detail === 'string' && { detail: Detail }),
    resources: Resources as readonly string[],
    ...(time !== undefined && { time }),
  };
}

/** The latest time that has a form of ISO 8601 with four digits, epoch milliseconds. */
const TIME_MAX = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Epoch milliseconds, NaN for a value that is not a time. A time of the wire is epoch seconds behind a tag. */
function timeOf(time: unknown): number | undefined {
  if (time === undefined || time === null) return undefined;
  const { value = time } = Object(time) as { readonly value?: unknown };
  const ms = value instanceof Date ? value.getTime() : typeof value === 'number' ? value * 1000 : Number.NaN;
  return ms >= 0 && ms <= TIME_MAX ? ms : Number.NaN;
}

function bytesOf({ source, detailType, detail, resources = [] }: EventEntry): number {
  const texts = [source, detailType, detail, ...resources];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), 0);
}

function invalid(message: string): never {
  throw new CustomBusError('InvalidInputException', message);
}
