import type { JsonObject } from '../../json/json';
import type { StateDirectory } from '../../state/directory';
import type { ValueChange } from '../../state/persistent-values';
import { loadItems, requireOwners } from '../../state/saved-values';
import { readFilterPolicy } from './filter-policy';
import type { SavedContent, Subscription, TopicChange, TopicsOptions } from './topics';

/** Topics in a state directory: each topic and each subscription is a value of its own. */
export interface SavedTopics extends Required<Pick<TopicsOptions, 'changed' | 'written'>> {
  /** Topics with their subscriptions. @throws DamagedState for content from elsewhere */
  load(): Promise<SavedContent>;
}

export function savedTopics(directory: StateDirectory): SavedTopics {
  return {
    changed: changes => directory.writeBehind.write(changes.map(entryOf)),
    written: () => directory.writeBehind.written(),
    async load() {
      const topics = await loadItems(directory, 'topic', ({ topic }, key) =>
        topic === key ? key : undefined,
      );
      const subscriptions = await loadItems(directory, 'subscription', subscriptionFrom);
      requireOwners(
        { owner: 'topic', items: 'subscriptions' },
        topics,
        subscriptions.map(({ topicArn }) => topicArn),
      );
      return { topics, subscriptions };
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

function subscriptionFrom(saved: JsonObject, key: string): Subscription | undefined {
  const { arn, number, topicArn, protocol, endpoint, raw, isDeployed, policy } = saved;
  const read = policy === undefined ? undefined : readFilterPolicy(policy);
  if (arn !== key || typeof number !== 'number' || typeof topicArn !== 'string') return undefined;
  if (typeof protocol !== 'string' || typeof endpoint !== 'string' || read?.kind === 'notBuilt')
    return undefined;
  return {
    ...{ arn, number, topicArn, protocol, endpoint },
    isDeployed: isDeployed === true,
    raw: raw === true,
    ...(read && { filter: read.filter }),
  };
}
