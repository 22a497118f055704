import { describeNotRun, findNotRun, type NotRunResource } from '../../assembly/not-run';
import type { MessageAttribute, MessageAttributes } from '../message-queues';
import type { SubscriptionSpec } from './cloudformation';

/** A message for the subscribers of a topic. */
export interface SnsMessage {
  readonly message: string;
  readonly subject?: string;
  readonly messageAttributes?: MessageAttributes;
}

/** A message on its way to its subscribers. */
export interface PublishedMessage extends SnsMessage {
  readonly messageId: string;
  readonly topicArn: string;
  /** Epoch milliseconds. */
  readonly publishedAt: number;
}

/** A subscription that is confirmed. */
export interface Subscription extends SubscriptionSpec {
  readonly arn: string;
  /** By which all subscriptions are in the order in which they came. */
  readonly number: number;
  /** Whether a template deploys it, and not a request: it ends when the template has it no more. */
  readonly isDeployed: boolean;
}

/** A topic that was made or is gone, or a subscription that is there or, with undefined, has ended. */
export type TopicChange =
  | { readonly topic: string; readonly isThere: boolean }
  | { readonly arn: string; readonly subscription: Subscription | undefined };

export interface TopicsOptions {
  readonly region: string;
  readonly account: string;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly newId: () => string;
  /** Called with what each operation changes. */
  readonly changed?: (changes: readonly TopicChange[]) => void;
  /** Resolves when all that `changed` was called with so far will outlive the process. @default - at once */
  readonly written?: () => Promise<void>;
  /** Topics, and whatever else, that is not run: a request for one is rejected with its reason. */
  readonly notRun: readonly NotRunResource[];
  /** Hands a message to one subscriber; resolves when it cannot be lost any more. */
  readonly deliver: (subscription: Subscription, message: PublishedMessage) => Promise<void>;
}

/** What an earlier process had: ARNs of topics, and the subscriptions of these. */
export interface SavedContent {
  readonly topics: readonly string[];
  readonly subscriptions: readonly Subscription[];
}

/** The topics of a stack with their subscriptions. */
export class Topics {
  readonly #options: TopicsOptions;
  readonly #topics = new Map<string, readonly Subscription[]>();
  #lastNumber = 0;

  constructor(options: TopicsOptions) {
    this.#options = options;
  }

  /** The ARN of the topic of this name, which is made where there is none. */
  create(name: string): string {
    const { region, account } = this.#options;
    const arn = `arn:aws:sns:${region}:${account}:${name}`;
    if (this.#topics.has(arn)) return arn;
    this.#topics.set(arn, []);
    this.#options.changed?.([{ topic: arn, isThere: true }]);
    return arn;
  }

  /** Takes over what an earlier process had, subscriptions of topics among these; this counts as no change. */
  restore({ topics, subscriptions }: SavedContent): void {
    for (const topicArn of topics) this.#topics.set(topicArn, []);
    for (const subscription of subscriptions.toSorted((a, b) => a.number - b.number)) {
      const { topicArn, number } = subscription;
      this.#topics.set(topicArn, [...this.subscriptions(topicArn), subscription]);
      this.#lastNumber = Math.max(this.#lastNumber, number);
    }
  }

  /** Makes the topics and subscriptions of templates; those ends that an earlier template had and these have not. */
  deploy(topics: readonly string[], subscriptions: readonly SubscriptionSpec[]): void {
    for (const name of topics) this.create(name);
    const isLeft = ({ topicArn, endpoint }: SubscriptionSpec) =>
      subscriptions.some(spec => spec.topicArn === topicArn && spec.endpoint === endpoint);
    for (const known of this.subscriptions()) {
      if (known.isDeployed && !isLeft(known)) this.unsubscribe(known.arn);
    }
    for (const spec of subscriptions) this.#subscribe(spec, true);
  }

  /** Resolves when what was changed so far outlives the process. Rejects where it cannot be written. */
  async written(): Promise<void> {
    await this.#options.written?.();
  }

  /** Takes a topic out with its subscriptions. One that does not exist is fine. */
  delete(topicArn: string): void {
    const subscriptions = this.#topics.get(topicArn);
    if (!subscriptions) return;
    this.#topics.delete(topicArn);
    this.#options.changed?.([
      ...subscriptions.map(({ arn }) => ({ arn, subscription: undefined })),
      { topic: topicArn, isThere: false },
    ]);
  }

  has(topicArn: string): boolean {
    return this.#topics.has(topicArn);
  }

  /** The reason to reject a request for a topic that does not exist. */
  notFoundReason(topicArn: string): string {
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
    return this.#subscribe(spec, false);
  }

  /** Ends a subscription. One that does not exist is fine. */
  unsubscribe(subscriptionArn: string): void {
    for (const [topicArn, subscriptions] of this.#topics) {
      const left = subscriptions.filter(({ arn }) => arn !== subscriptionArn);
      if (left.length === subscriptions.length) continue;
      this.#topics.set(topicArn, left);
      this.#options.changed?.([{ arn: subscriptionArn, subscription: undefined }]);
    }
  }

  /** One that a template deploys is made as the template has it, in the place of one with its endpoint. */
  #subscribe(spec: SubscriptionSpec, isDeployed: boolean): string | undefined {
    const subscriptions = this.#topics.get(spec.topicArn);
    const known = subscriptions?.find(({ endpoint }) => endpoint === spec.endpoint);
    if (!subscriptions || (known && !isDeployed)) return known?.arn;
    const { topicArn, protocol, endpoint, raw, filter } = spec;
    const { arn, number } = known ?? this.#newIdentity(topicArn);
    const subscription = {
      arn,
      number,
      isDeployed,
      topicArn,
      protocol,
      endpoint,
      raw,
      ...(filter && { filter }),
    };
    // As texts, in which what a filter's policy comes to is left out.
    if (known && JSON.stringify(known) === JSON.stringify(subscription)) return arn;
    const others = subscriptions.filter(other => other !== known);
    this.#topics.set(topicArn, [...others, subscription]);
    this.#options.changed?.([{ arn, subscription }]);
    return arn;
  }

  #newIdentity(topicArn: string): Pick<Subscription, 'arn' | 'number'> {
    this.#lastNumber += 1;
    return { arn: `${topicArn}:${this.#options.newId()}`, number: this.#lastNumber };
  }

  /** Hands the message to all subscribers of the topic; undefined where there is no such topic. */
  async publish(topicArn: string, sent: SnsMessage): Promise<{ readonly messageId: string } | undefined> {
    const subscriptions = this.#topics.get(topicArn);
    if (!subscriptions) return undefined;
    const { newId, now, deliver } = this.#options;
    const message = { ...sent, topicArn, messageId: newId(), publishedAt: now() };
    const attributes = sent.messageAttributes ?? {};
    const addressed = subscriptions.filter(({ filter }) => filter?.matches(attributes) ?? true);
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

/** Messages here have no signature, so a subscriber that checks the signature rejects the message. */
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
