import type { HistoryEvent } from '../../views';
import { type Attributes, applyUpdate, attributesOf, type Json, objectOf } from './apply-update';
import { detailsOf, textIn } from './details';
import { Versions } from './versions';

/** An item of DynamoDB, as far as a history tells of it: such as the record of a key. */
export interface Item {
  readonly table: string;
  readonly attributes: Attributes;
  /** The last action on it, and the event that showed it. */
  readonly last: { readonly kind: 'put' | 'updated' | 'read' | 'deleted'; readonly id: number };
  /** As a request has had it; empty where only the item itself was put. */
  readonly key: Attributes;
  /** False where it was written by an expression that is not followed here, or before it was read. */
  readonly isWhole: boolean;
}

interface Call {
  readonly operation: string;
  readonly request: Json;
}

/** So many items are kept, those that were touched last: a history may write thousands. */
const ITEMS_MAX = 5;
const KINDS = { putItem: 'put', updateItem: 'updated', getItem: 'read', deleteItem: 'deleted' } as const;

/**
 * The items that an execution has written or read directly, as they were after each event: by its requests to DynamoDB
 * and their answers. What others have written in between it does not know.
 */
export function itemsIn(events: readonly HistoryEvent[]): Versions<readonly Item[]> {
  const calls = new Map<number, Call>();
  const items = new Versions<readonly Item[]>(0, []);
  for (const [index, event] of events.entries()) {
    const call = callIn(event) ?? calls.get(event.previousEventId ?? 0);
    if (call === undefined) continue;
    if (event.type === 'TaskSucceeded') items.set(index + 1, touched(items.last, call, event));
    // A task that was started is asked for by the event before.
    else if (/^Task(?:Scheduled|Started)$/.test(event.type)) calls.set(event.id, call);
  }
  return items;
}

function callIn({ type, taskScheduledEventDetails: details }: HistoryEvent): Call | undefined {
  if (type !== 'TaskScheduled' || details === undefined) return undefined;
  const operation = textIn(details['resource']) ?? '';
  if (!textIn(details['resourceType'])?.endsWith('dynamodb') || !(operation in KINDS)) return undefined;
  return { operation, request: objectIn(textIn(details['parameters'])) };
}

function touched(items: readonly Item[], { operation, request }: Call, event: HistoryEvent): readonly Item[] {
  const table = textIn(request['TableName']) ?? '';
  const key = attributesOf(request['Key']);
  const put = attributesOf(request['Item']);
  const before = items.find(item => item.table === table && isSame(item, key, put));
  const found = attributesOf(objectIn(textIn(detailsOf(event)['output']))['Item']);
  const last = { kind: KINDS[operation as keyof typeof KINDS], id: event.id };
  const known = Object.keys(key).length > 0 ? key : (before?.key ?? {});
  const others = items.filter(item => item !== before);
  const { attributes, isWhole } = written(operation, request, before, { key, put, found });
  return [{ table, attributes, last, key: known, isWhole }, ...others].slice(0, ITEMS_MAX);
}

function written(
  operation: string,
  request: Json,
  before: Item | undefined,
  { key, put, found }: Readonly<Record<'key' | 'put' | 'found', Attributes>>,
): Pick<Item, 'attributes' | 'isWhole'> {
  if (operation === 'putItem') return { attributes: put, isWhole: true };
  // Nothing there.
  if (operation === 'deleteItem') return { attributes: {}, isWhole: true };
  if (operation === 'getItem')
    return { attributes: found, isWhole: request['ProjectionExpression'] === undefined };
  const attributes = { ...before?.attributes, ...key };
  const isFollowed = applyUpdate(attributes, request);
  return { attributes, isWhole: isFollowed && before?.isWhole === true };
}

/** Whether an item is the one of a key, or of an item that is put: there only the item's own key can tell. */
function isSame(item: Item, key: Attributes, put: Attributes): boolean {
  const names = Object.keys(key);
  if (names.length > 0) return names.every(name => (item.key[name] ?? item.attributes[name]) === key[name]);
  const own = Object.entries(item.key);
  return own.length > 0 && own.every(([name, value]) => put[name] === value);
}

function objectIn(text: string | undefined): Json {
  try {
    return objectOf(JSON.parse(text ?? 'null'));
  } catch {
    return {};
  }
}
