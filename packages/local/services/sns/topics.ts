import { describeNotRun, findNotRun, type NotRunResource } from '../../assembly/not-run';
import type { MessageAttribute, MessageAttributes } from '../message-queues';
import type { SubscriptionSpec } from './cloudformation';

/** A message for the subscribers of a topic. */
export interface Publication {
  readonly message: string;
  readonly subject?: string;
  readonly messageAttributes?: MessageAttributes;
}

/** A message on its way to its subscribers. */
export interface PublishedMessage extends Publication {
  readonly messageId: string;
  readonly topicArn: string;
  /** Epoch milliseconds. */
  readonly publishedAt: number;
}

/** A subscription that is confirmed. */
export interface Subscription extends SubscriptionSpec {
  readonly arn: string;
}

/** What topics work with. */
export interface TopicsOptions {
  readonly region: string;
  readonly account: string;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly newId: () => string;
  /** Topics, and whatever else, that is not run: a request for one is refused with its reason. */
  readonly notRun: readonly NotRunResource[];
  /** Hands a message to one subscriber; resolves when it cannot be lost any more. */
  readonly deliver: (subscription: Subscription, message: PublishedMessage) => Promise<void>;
}

/** The topics of a stack with their subscriptions, in memory. */
export class Topics {
  readonly #options: TopicsOptions;
  readonly #topics = new Map<string, Subscription[]>();

  constructor(options: TopicsOptions) {
    this.#options = options;
  }

  /** The ARN of the topic of this name, which is made where there is none. */
  create(name: string): string {
    const { region, account } = this.#options;
    const arn = `arn:aws:sns:${region}:${account}:${name}`;
    if (!this.#topics.has(arn)) this.#topics.set(arn, []);
    return arn;
  }

  /** Takes a topic out with its subscriptions. One that does not exist is fine. */
  delete(topicArn: string): void {
    this.#topics.delete(topicArn);
  }

  has(topicArn: string): boolean {
    return this.#topics.has(topicArn);
  }

  /** Why a request is refused that names a topic which is not there. */
  whyMissing(topicArn: string): string {
    const foreign = findNotRun(this.#options.notRun, topicArn);
    return foreign ? describeNotRun(foreign) : 'Topic does not exist';
  }

  /** The ARNs of all topics. */
  list(): readonly string[] {
    return [...this.#topics.keys()];
  }

  /** The subscriptions of one topic, or of all. */
  subscriptions(topicArn?: string): readonly Subscription[] {
    return topicArn === undefined ? [...this.#topics.values()].flat() : (this.#topics.get(topicArn) ?? []);
  }

  /** The ARN of the subscription, the same for the same subscriber again; undefined where there is no such topic. */
  subscribe(spec: SubscriptionSpec): string | undefined {
    const subscriptions = this.#topics.get(spec.topicArn);
    const known = subscriptions?.find(({ endpoint }) => endpoint === spec.endpoint);
    if (!subscriptions || known) return known?.arn;
    const arn = `${spec.topicArn}:${this.#options.newId()}`;
    subscriptions.push({ ...spec, arn });
    return arn;
  }

  /** Ends a subscription. One that does not exist is fine. */
  unsubscribe(subscriptionArn: string): void {
    for (const [topicArn, subscriptions] of this.#topics) {
      this.#topics.set(
        topicArn,
        subscriptions.filter(({ arn }) => arn !== subscriptionArn),
      );
    }
  }

  /** Hands the message to all subscribers of the topic; undefined where there is no such topic. */
  async publish(
    topicArn: string,
    publication: Publication,
  ): Promise<{ readonly messageId: string } | undefined> {
    const subscriptions = this.#topics.get(topicArn);
    if (!subscriptions) return undefined;
    const { newId, now, deliver } = this.#options;
    const message = { ...publication, topicArn, messageId: newId(), publishedAt: now() };
    const attributes = publication.messageAttributes ?? {};
    const addressed = subscriptions.filter(({ filter }) => filter?.(attributes) ?? true);
    await Promise.all(addressed.map(subscription => deliver(subscription, message)));
    return { messageId: message.messageId };
  }
}

/** What a queue gets of a message that is not delivered raw, in the form in which the service writes it. */
export function envelopeOf(subscription: Subscription, message: PublishedMessage): string {
  const { Subject, MessageAttributes, ...members } = notificationOf(subscription, message);
  const hasAttributes = Object.keys(MessageAttributes).length > 0;
  const { Type, MessageId, TopicArn, ...rest } = members;
  const envelope = {
    Type,
    MessageId,
    TopicArn,
    ...(Subject !== null && { Subject }),
    ...rest,
    ...(hasAttributes && { MessageAttributes }),
  };
  const lines = Object.entries(envelope).map(([name, value]) => `  "${name}" : ${JSON.stringify(value)}`);
  return `{\n${lines.join(',\n')}\n}`;
}

/** The event that a function gets. */
export function functionEventOf(subscription: Subscription, message: PublishedMessage) {
  const { SigningCertURL, UnsubscribeURL, ...members } = notificationOf(subscription, message);
  const Sns = { ...members, SigningCertUrl: SigningCertURL, UnsubscribeUrl: UnsubscribeURL };
  const origin = { EventSource: 'aws:sns', EventVersion: '1.0', EventSubscriptionArn: subscription.arn };
  return { Records: [{ ...origin, Sns }] };
}

/** Nothing is signed here, so that who checks the signature refuses the message instead of trusting anybody. */
const NO_SIGNATURE = 'bm90IHNpZ25lZA==';

function notificationOf(subscription: Subscription, message: PublishedMessage) {
  const { messageId, topicArn, subject = null, publishedAt, messageAttributes = {} } = message;
  const service = `https://sns.${topicArn.split(':')[3]}.amazonaws.com`;
  return {
    Type: 'Notification',
    MessageId: messageId,
    TopicArn: topicArn,
    Subject: subject,
    Message: message.message,
    Timestamp: new Date(publishedAt).toISOString(),
    SignatureVersion: '1',
    Signature: NO_SIGNATURE,
    SigningCertURL: `${service}/SimpleNotificationService.pem`,
    UnsubscribeURL: `${service}/?Action=Unsubscribe&SubscriptionArn=${subscription.arn}`,
    MessageAttributes: Object.fromEntries(
      Object.entries(messageAttributes).map(([name, attribute]) => [name, notified(attribute)]),
    ),
  };
}

function notified(attribute: MessageAttribute) {
  const value = 'StringValue' in attribute ? attribute.StringValue : attribute.BinaryValue;
  return { Type: attribute.DataType, Value: value };
}
