import { isJsonObject, type Json, type JsonObject } from '../../json/json';
import { DamagedState } from '../../state/damage';
import type { StateDirectory } from '../../state/directory';
import type { ValueChange } from '../../state/persistent-values';
import { readFilterPolicy } from './filter-policy';
import type { SavedContent, Subscription, TopicChange, TopicsOptions } from './topics';

/** Topics in a state directory: each topic and each subscription is a value of its own. */
export interface SavedTopics extends Required<Pick<TopicsOptions, 'changed' | 'written'>> {
  /** Topics with their subscriptions. @throws DamagedState for what was not written here */
  load(): Promise<SavedContent>;
}

/** The topics that a directory has. */
export function savedTopics(directory: StateDirectory): SavedTopics {
  return {
    changed: changes => directory.writeBehind.write(changes.map(entryOf)),
    written: () => directory.writeBehind.written(),
    async load() {
      const topics = (await directory.load('topic')).map(([key, value]) => topicFrom(key, value as Json));
      const found = await directory.load('subscription');
      const subscriptions = found.map(([key, value]) => subscriptionFrom(key, value as Json));
      const known = new Set(topics);
      const lost = subscriptions.find(({ topicArn }) => !known.has(topicArn));
      if (!lost) return { topics, subscriptions };
      throw new DamagedState([`the topic ${lost.topicArn} is lost, of which there are subscriptions`]);
    },
  };
}

function entryOf(change: TopicChange): ValueChange {
  if ('topic' in change) {
    const { topic, isThere } = change;
    return { kind: 'topic', key: topic, value: isThere ? { topic } : undefined };
  }
  const { arn, subscription } = change;
  if (!subscription) return { kind: 'subscription', key: arn, value: undefined };
  const { filter, ...members } = subscription;
  return { kind: 'subscription', key: arn, value: { ...members, ...(filter && { policy: filter.policy }) } };
}

function topicFrom(key: string, value: Json): string {
  if (isJsonObject(value) && value['topic'] === key) return key;
  throw new DamagedState([`topic ${JSON.stringify(key)} is not what was written`]);
}

function subscriptionFrom(key: string, value: Json): Subscription {
  const saved: JsonObject = isJsonObject(value) ? value : {};
  const { arn, number, topicArn, protocol, endpoint, raw, isDeployed, policy } = saved;
  const read = policy === undefined ? undefined : readFilterPolicy(policy);
  if (
    arn === key &&
    typeof number === 'number' &&
    typeof topicArn === 'string' &&
    typeof protocol === 'string' &&
    typeof endpoint === 'string' &&
    read?.kind !== 'notBuilt'
  ) {
    return {
      arn,
      number,
      isDeployed: isDeployed === true,
      topicArn,
      protocol,
      endpoint,
      raw: raw === true,
      ...(read && { filter: read.filter }),
    };
  }
  throw new DamagedState([`subscription ${JSON.stringify(key)} is not what was written`]);
}
