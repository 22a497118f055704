import {
  anything,
  at,
  type KnownValue,
  missing,
  objectOf,
  union,
} from '../../../state-machine/expression/known-value';
import { HEADERS_OF_MANY } from './headers';

/**
 * The form of what a source delivers: which members an input can have.
 *
 * @example
 * workflow.startByKey(this, { envelope: 'queue' })
 */
export type EnvelopeName =
  | 'eventBridge'
  /** An event of `PutEvents` without what stands beside it. */
  | 'customEventBus'
  | 'schedule'
  | 'queue'
  | 'topic'
  | 'kinesis'
  | 'dynamoDb'
  | 'kafka'
  /** What `Source.http` makes of a request. */
  | 'http'
  /** A request, as the options of `Source.http` read it. */
  | 'request';

/** The facts of the inputs of one kind of source. */
export interface Envelope {
  readonly members: Readonly<Record<string, KnownValue>>;
  /** What a name is that is not among them. */
  readonly others: KnownValue;
  /** Paths of members that many events have alike: a key must read something else, too. */
  readonly shared: readonly string[];
  /** Why an input has no such member, behind `which`. */
  readonly because: string;
  /** The path that the author of this one meant. */
  meant(path: readonly string[]): readonly string[];
}

const ANY = anything();
const NEVER = missing(undefined);

const anyOf = (...names: readonly string[]) => Object.fromEntries(names.map(name => [name, ANY]));
const neverOf = (...names: readonly string[]) => Object.fromEntries(names.map(name => [name, NEVER]));

/** A text: it has no members. */
const TEXT = objectOf({});
/** The text of a whole message, in the envelope that a function gets: read alone, it is the input itself that is meant. */
const WHOLE: KnownValue = { ...TEXT, isForeign: true };

/** What `Records` of a function's event have, from a queue or a topic, and an S3 notification has not. */
const RECORDS = objectOf(
  neverOf(
    'body',
    'messageId',
    'receiptHandle',
    'attributes',
    'messageAttributes',
    'md5OfBody',
    'eventSourceARN',
    'Sns',
    'EventSubscriptionArn',
    'kinesis',
    'dynamodb',
  ),
  () => ANY,
);

/** Attributes that SQS gives a message, beside its body. */
const SQS_ATTRIBUTES = objectOf(
  neverOf(
    'ApproximateReceiveCount',
    'ApproximateFirstReceiveTimestamp',
    'SentTimestamp',
    'SenderId',
    'SequenceNumber',
    'MessageGroupId',
    'MessageDeduplicationId',
    'AWSTraceHeader',
    'DeadLetterQueueSourceArn',
  ),
  () => ANY,
);

/** What a message's body does not have unless its sender has put it there. */
const AROUND_A_BODY = {
  ...neverOf('messageId', 'receiptHandle', 'messageAttributes', 'md5OfBody', 'eventSourceARN', 'Sns'),
  body: WHOLE,
  attributes: SQS_ATTRIBUTES,
  Records: RECORDS,
};

/** Containers of other sources, and of functions' events, longest first. */
const CONTAINERS: readonly (readonly string[])[] = [
  ['Records', 'Sns', 'Message'],
  ['Records', 'kinesis', 'data'],
  ['Records', 'body'],
  ['Records', 'dynamodb', 'NewImage'],
  ['Records'],
  ['records'],
  ['event'],
  ['Sns', 'Message'],
  ['kinesis', 'data'],
  ['Message'],
  ['body'],
  ['detail'],
  ['Data'],
  ['data'],
  ['value'],
];

/** An example of the rest, if a path names a container, or a member beside it, and no more. */
const EXAMPLE = ['orderId'];

/** The path without containers in front of which a source of this kind has none; `own` are those that it may have. */
function unpacked(path: readonly string[], own: readonly string[] = []): readonly string[] {
  const container = CONTAINERS.find(
    names => !own.includes(names[0] ?? '') && names.every((name, index) => path[index] === name),
  );
  return container === undefined ? path : unpacked(path.slice(container.length), own);
}

/** Within the one member of an input that holds what its sender has written. */
function within(...root: readonly string[]): Envelope['meant'] {
  return path => {
    const rest = unpacked(path, root);
    if (root.every((name, index) => rest[index] === name))
      return rest.length > root.length ? rest : [...root, ...EXAMPLE];
    return [...root, ...(rest.length > 0 ? rest : EXAMPLE)];
  };
}

/** In a body, all names but those that are beside it. */
function inTheBody(path: readonly string[]): readonly string[] {
  const rest = unpacked(path, ['detail', 'data', 'value']);
  const [name = ''] = rest;
  return rest.length === 0 || Object.hasOwn({ ...AROUND_A_BODY, ...AROUND_A_PUBLISHED }, name)
    ? EXAMPLE
    : rest;
}

/** What SNS puts around a message, unless the delivery is raw. */
const AROUND_A_PUBLISHED = neverOf(
  'Message',
  'MessageId',
  'MessageAttributes',
  'Subject',
  'TopicArn',
  'Signature',
  'SignatureVersion',
  'SigningCertURL',
  'UnsubscribeURL',
);

/** That a value has all headers of a request, which differ between two tries. */
export const ALL_HEADERS = 'headers';
const EVENT = anyOf('version', 'detail-type', 'source', 'account', 'time', 'region', 'resources');
const OF_MANY_EVENTS = ['version', 'detail-type', 'source', 'account', 'region'];
const OF_MANY_RECORDS = ['eventSource', 'eventVersion', 'eventName', 'awsRegion', 'eventSourceARN'];
/** What SNS puts around each message of a topic. */
const OF_MANY_MESSAGES = ['Type', 'TopicArn', 'SignatureVersion', 'SigningCertURL', 'detail-type'];
const IMAGES: readonly string[] = ['Keys', 'NewImage', 'OldImage'];
/** What an event of API Gateway to a function calls what the input of `Source.http` has under other names. */
const REQUEST_NAMES: Readonly<Record<string, string>> = {
  pathParameters: 'path',
  requestContext: 'principal',
};

function inARequest(path: readonly string[]): readonly string[] {
  const [name = '', ...rest] = unpacked(path, ['body']);
  if (name === 'requestContext' || name === 'principal') return ['principal'];
  const own = REQUEST_NAMES[name];
  if (own !== undefined) return [own, ...(rest.length > 0 ? rest : ['orderId'])];
  return within('body')(path);
}

/**
 * The members of what each kind of source delivers. A member that is not here is one that no event has, or, of a body
 * that its sender writes, whatever its sender has put there.
 */
export const ENVELOPES: Readonly<Record<EnvelopeName, Envelope>> = {
  eventBridge: {
    members: { ...EVENT, ...anyOf('id', 'detail', 'replay-name') },
    others: NEVER,
    shared: OF_MANY_EVENTS,
    because: 'no event of a bus has: what its sender has written is in `detail`',
    meant: within('detail'),
  },
  customEventBus: {
    members: { ...EVENT, ...anyOf('id', 'detail') },
    others: NEVER,
    shared: OF_MANY_EVENTS,
    because: 'no event of a custom event bus has: what its sender has written is in `detail`',
    meant: within('detail'),
  },
  schedule: {
    members: { ...EVENT, detail: { ...objectOf({}), isEmpty: true }, id: NEVER },
    others: NEVER,
    shared: [...OF_MANY_EVENTS, 'resources'],
    because: 'no event of a schedule has: they have no `id`, and their `detail` is empty',
    meant: () => ['time'],
  },
  queue: {
    members: { ...AROUND_A_BODY, Message: TEXT },
    others: ANY,
    shared: OF_MANY_MESSAGES,
    because: 'no message of this queue has: the input is the body of one message',
    meant: inTheBody,
  },
  topic: {
    members: { ...AROUND_A_BODY, ...AROUND_A_PUBLISHED },
    others: ANY,
    shared: ['detail-type'],
    because:
      'no message of this topic has: the input is the message as it was published, without an envelope',
    meant: inTheBody,
  },
  kinesis: {
    members: anyOf(
      'kinesisSchemaVersion',
      'partitionKey',
      'sequenceNumber',
      'data',
      'approximateArrivalTimestamp',
      'eventSource',
      'eventVersion',
      'eventID',
      'eventName',
      'awsRegion',
      'eventSourceARN',
    ),
    others: NEVER,
    shared: ['kinesisSchemaVersion', ...OF_MANY_RECORDS],
    because: 'no record of this stream has: what its producer has written is in `data`',
    meant: within('data'),
  },
  dynamoDb: {
    members: anyOf(
      'eventID',
      'eventName',
      'eventVersion',
      'eventSource',
      'awsRegion',
      'dynamodb',
      'eventSourceARN',
      'userIdentity',
    ),
    others: NEVER,
    shared: ['userIdentity', 'dynamodb.SizeBytes', 'dynamodb.StreamViewType', ...OF_MANY_RECORDS],
    because: 'no record of this stream has: the item is in `dynamodb`, each attribute with its type',
    meant(path) {
      const rest = unpacked(path);
      if (rest[0] === 'dynamodb') return rest;
      if (IMAGES.includes(rest[0] ?? '')) return ['dynamodb', ...rest];
      return ['dynamodb', 'NewImage', ...(rest.length > 0 ? rest : EXAMPLE), 'S'];
    },
  },
  kafka: {
    members: anyOf(
      'eventSource',
      'eventSourceArn',
      'bootstrapServers',
      'eventSourceKey',
      'topic',
      'partition',
      'offset',
      'timestamp',
      'timestampType',
      'key',
      'value',
      'headers',
    ),
    others: NEVER,
    shared: ['eventSource', 'eventSourceArn', 'bootstrapServers', 'topic'],
    because: 'no record of this topic has: what its producer has written is in `value`',
    meant: within('value'),
  },
  http: {
    members: anyOf('idempotencyKey', 'principal', 'path', 'body'),
    others: NEVER,
    shared: ['principal'],
    because:
      'the input has not: it is {idempotencyKey, principal, path, body}, and the `input` of the source makes another',
    meant: inARequest,
  },
  request: {
    members: {
      ...anyOf('path', 'query', 'principal', 'body', 'idempotencyKey'),
      headers: {
        ...objectOf({}, name => (name === name.toLowerCase() ? ANY : NEVER)),
        marks: new Set([ALL_HEADERS]),
      },
    },
    others: NEVER,
    shared: ['principal', ...[...HEADERS_OF_MANY].map(name => `headers.${name}`)],
    because:
      'no request has: it is {headers, path, query, principal, body}, with the names of headers in lower case',
    meant(path) {
      const [name, ...rest] = unpacked(path, ['body']);
      if (name === 'headers' || name === 'multiValueHeaders')
        return ['headers', ...rest.map(one => one.toLowerCase())];
      if (name === 'queryStringParameters') return ['query', ...rest];
      return inARequest(path);
    },
  },
};

/** The input of a source, as far as its kind says; `keep` are names that its messages do have. */
export function inputOf(name: EnvelopeName, keep: readonly string[] = []): KnownValue {
  const { members, others } = ENVELOPES[name];
  return at(
    [],
    objectOf({ ...members, ...anyOf(...keep) }, () => others),
  );
}

/** That a value tells the caller of a request. */
export const PRINCIPAL = 'caller';
/** That a value tells this parameter of a path: the prefix of its name. */
export const PARAMETER = 'path parameter ';

/** The facts of requests to a resource. */
export interface RequestFacts {
  /** The parameters of its path; undefined: they are not known. */
  readonly parameters: readonly string[] | undefined;
  /** What the key of the source tells. */
  readonly key: KnownValue;
}

/** The request, or what `Source.http` makes of it, as far as its resource says. */
export function requestOf(name: 'request' | 'http', { parameters, key }: RequestFacts): KnownValue {
  const { members, others } = ENVELOPES[name];
  const path = Object.fromEntries((parameters ?? []).map(one => [one, anything(new Set([PARAMETER + one]))]));
  const principal = anything(new Set([PRINCIPAL]));
  return at(
    [],
    objectOf(
      {
        ...members,
        ...(parameters && { path: objectOf(path) }),
        principal,
        idempotencyKey: key.isMissing ? key : anything(union([key.marks, principal.marks])),
      },
      () => others,
    ),
  );
}

/** Whether a message may have what is around it all the same, because its sender has put it there. */
export function canBeKept(name: EnvelopeName, member: string): boolean {
  return !ENVELOPES[name].others.isMissing && Object.hasOwn(ENVELOPES[name].members, member);
}

/** The members of a message that its source takes for its envelope's, unless they are kept. */
export const AROUND_A_MESSAGE: readonly string[] = Object.keys({ ...AROUND_A_BODY, ...AROUND_A_PUBLISHED });
