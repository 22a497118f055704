import { jsonOr } from '../../json/json';
import type { MessageAttributes } from '../message-queues';
import { PROTOCOLS } from './cloudformation';
import { readFilterPolicy } from './filter-policy';
import { attributesIn, type Form, prefixesOf, text } from './form';
import type { SnsMessage, Topics } from './topics';

/** AWS quota for a message, and for all messages of a batch. */
export const MESSAGE_BYTES_MAX = 262_144;
const BATCH_ENTRIES_MAX = 10;

/** Why a request to publish this message is rejected, or undefined if it is accepted. */
export function messageFault(
  { MessageStructure: structure, PhoneNumber: phone, TargetArn: target }: Readonly<Record<string, unknown>>,
  message: string,
): string | undefined {
  if ((phone ?? target ?? null) !== null) return 'Invalid parameter: only a TopicArn is published to here';
  if ((structure ?? null) !== null) return 'Invalid parameter: MessageStructure is not supported here';
  if (message === '') return 'Invalid parameter: Empty message';
  return Buffer.byteLength(message) > MESSAGE_BYTES_MAX ? 'Invalid parameter: Message too long' : undefined;
}

/** The rejection of a request. */
export class Rejection {
  constructor(
    readonly code: string,
    readonly message: string,
  ) {}
}

type Action = (topics: Topics, form: Form) => object | Rejection | Promise<object | Rejection>;

/** What each action does. */
export const ACTIONS: ReadonlyMap<string, Action> = new Map<string, Action>([
  ['Publish', (topics, form) => publish(topics, text(form, 'TopicArn'), form, '')],
  ['PublishBatch', publishBatch],
  ['CreateTopic', (topics, form) => createTopic(topics, text(form, 'Name'))],
  [
    'DeleteTopic',
    (topics, form) => {
      topics.delete(text(form, 'TopicArn'));
      return {};
    },
  ],
  ['ListTopics', topics => ({ Topics: topics.list().map(TopicArn => ({ TopicArn })) })],
  ['Subscribe', subscribe],
  [
    'Unsubscribe',
    (topics, form) => {
      topics.unsubscribe(text(form, 'SubscriptionArn'));
      return {};
    },
  ],
  ['ListSubscriptions', topics => listed(topics)],
  [
    'ListSubscriptionsByTopic',
    (topics, form) => {
      const topicArn = text(form, 'TopicArn');
      return topics.has(topicArn) ? listed(topics, topicArn) : noTopic(topics, topicArn);
    },
  ],
]);

/** Actions that change topics; publishing does not. */
export const CHANGING: ReadonlySet<string> = new Set([
  'CreateTopic',
  'DeleteTopic',
  'Subscribe',
  'Unsubscribe',
]);

function createTopic(topics: Topics, name: string): object | Rejection {
  if (/^[\w-]{1,256}$/.test(name)) return { TopicArn: topics.create(name) };
  return new Rejection('InvalidParameter', 'Invalid parameter: Topic Name');
}

async function publish(
  topics: Topics,
  topicArn: string,
  form: Form,
  prefix: string,
): Promise<object | Rejection> {
  const message = text(form, `${prefix}Message`);
  const names = ['MessageStructure', 'PhoneNumber', 'TargetArn'];
  const given = Object.fromEntries(names.map(name => [name, form.get(`${prefix}${name}`)]));
  const fault = messageFault(given, message);
  if (fault !== undefined) return new Rejection('InvalidParameter', fault);
  const subject = form.get(`${prefix}Subject`);
  if (!isSubject(subject)) return new Rejection('InvalidParameter', SUBJECT_FAULT);
  const attributes = attributesIn(form, `${prefix}MessageAttributes.entry.`);
  const wrong = attributeFault(attributes ?? {});
  if (wrong !== undefined) return new Rejection('ParameterValueInvalid', wrong);
  const publication: SnsMessage = {
    message,
    ...(subject !== undefined && { subject }),
    ...(attributes && { messageAttributes: attributes }),
  };
  const published = await topics.publish(topicArn, publication);
  return published ? { MessageId: published.messageId } : noTopic(topics, topicArn);
}

/** The message for a subject that is not valid. */
export const SUBJECT_FAULT = 'Invalid parameter: Subject';

/** A subject has up to 100 printable characters, and does not begin with a space. */
export function isSubject(subject: string | undefined): boolean {
  return subject === undefined || /^[!-~][ -~]{0,99}$/.test(subject);
}

/** Why attributes are rejected, in the service's words. */
export function attributeFault(attributes: MessageAttributes): string | undefined {
  for (const [name, attribute] of Object.entries(attributes)) {
    const value = 'StringValue' in attribute ? attribute.StringValue : attribute.BinaryValue;
    if (!/^(?!\.)(?!.*\.\.)[\w.-]{1,256}$(?<!\.)/.test(name)) {
      return `Invalid parameter: Message attribute name ${name} is not valid`;
    }
    if (!/^(?:String|String\.Array|Number|Binary)(?:\..+)?$/.test(attribute.DataType)) {
      return `The message attribute '${name}' has an invalid message attribute type, the set of supported type prefixes is Binary, Number, and String.`;
    }
    if (value === '') {
      return `The message attribute '${name}' must contain non-empty message attribute value for message attribute type '${attribute.DataType}'.`;
    }
  }
  return undefined;
}

async function publishBatch(topics: Topics, form: Form): Promise<object | Rejection> {
  const topicArn = text(form, 'TopicArn');
  if (!topics.has(topicArn)) return noTopic(topics, topicArn);
  const prefixes = prefixesOf(form, 'PublishBatchRequestEntries.member.', 'Id');
  if (prefixes.length === 0) return new Rejection('EmptyBatchRequest', 'The batch request has no entries.');
  if (prefixes.length > BATCH_ENTRIES_MAX) {
    return new Rejection('TooManyEntriesInBatchRequest', 'The batch request has more than 10 entries.');
  }
  const ids = prefixes.map(prefix => text(form, `${prefix}Id`));
  if (new Set(ids).size < ids.length) {
    return new Rejection('BatchEntryIdsNotDistinct', 'Two entries of the batch request have the same Id.');
  }
  const results: { readonly Id: string; readonly result: object | Rejection }[] = [];
  for (const prefix of prefixes) {
    results.push({ Id: text(form, `${prefix}Id`), result: await publish(topics, topicArn, form, prefix) });
  }
  return {
    Successful: results.flatMap(({ Id, result }) => (result instanceof Rejection ? [] : [{ Id, ...result }])),
    Failed: results.flatMap(({ Id, result }) => {
      if (!(result instanceof Rejection)) return [];
      return [{ Id, Code: result.code, Message: result.message, SenderFault: true }];
    }),
  };
}

function subscribe(topics: Topics, form: Form): object | Rejection {
  const [topicArn, protocol, endpoint] = ['TopicArn', 'Protocol', 'Endpoint'].map(name => text(form, name));
  if (!PROTOCOLS.includes(protocol ?? '')) {
    return new Rejection('InvalidParameter', `Invalid parameter: Protocol ${protocol} is not supported here`);
  }
  const attributes = new Map(
    prefixesOf(form, 'Attributes.entry.', 'key').map(at => [
      text(form, `${at}key`),
      text(form, `${at}value`),
    ]),
  );
  if (attributes.get('FilterPolicyScope') === 'MessageAttributes') attributes.delete('FilterPolicyScope');
  const unknown = [...attributes.keys()].find(name => !SUBSCRIPTION_ATTRIBUTES.has(name));
  if (unknown !== undefined) {
    return new Rejection('InvalidParameter', `Invalid parameter: ${unknown} is not supported here`);
  }
  const raw = attributes.get('RawMessageDelivery') === 'true';
  const policy = attributes.get('FilterPolicy');
  const read = policy === undefined ? undefined : readFilterPolicy(jsonOr(policy, policy));
  if (read?.kind === 'notBuilt') {
    return new Rejection('InvalidParameter', `Invalid parameter: FilterPolicy ${read.reason}`);
  }
  const SubscriptionArn = topics.subscribe({
    topicArn: topicArn ?? '',
    protocol: protocol ?? '',
    endpoint: endpoint ?? '',
    raw,
    ...(read && { filter: read.filter }),
  });
  return SubscriptionArn === undefined ? noTopic(topics, topicArn ?? '') : { SubscriptionArn };
}

const SUBSCRIPTION_ATTRIBUTES: ReadonlySet<string> = new Set(['FilterPolicy', 'RawMessageDelivery']);

function listed(topics: Topics, topicArn?: string): object {
  const Subscriptions = topics
    .subscriptions(topicArn)
    .map(({ arn, topicArn: TopicArn, protocol, endpoint }) => {
      const Owner = TopicArn.split(':')[4];
      return { TopicArn, Protocol: protocol, SubscriptionArn: arn, Owner, Endpoint: endpoint };
    });
  return { Subscriptions };
}

function noTopic(topics: Topics, topicArn: string): Rejection {
  return new Rejection('NotFound', topics.notFoundReason(topicArn));
}
