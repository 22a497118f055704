import { requireActivityArn } from '../arns';
import { StatesError } from '../errors';
import { requireNameCharacters, requireNameLength } from '../names';
import type { Catalogue } from './catalogue';
import type { Tag } from './entry';
import { mergeTags } from './tags';

/** An activity: a name that workers ask for tasks by. */
export interface ActivityRecord {
  readonly arn: string;
  readonly name: string;
  /** Epoch milliseconds. */
  readonly creationDate: number;
  readonly tags: readonly Tag[];
}

/** The activities, oldest first. */
export class Activities {
  readonly #activities = new Map<string, ActivityRecord>();
  readonly #changed: () => void;

  /** `changed` is called after each change, before the operation answers. */
  constructor(changed: () => void = () => undefined) {
    this.#changed = changed;
  }

  find(arn: string): ActivityRecord | undefined {
    return this.#activities.get(arn);
  }

  list(): readonly ActivityRecord[] {
    return [...this.#activities.values()];
  }

  /** Takes over activities that were kept; nobody is told of a change. */
  load(activities: readonly ActivityRecord[]): void {
    for (const activity of activities) this.#activities.set(activity.arn, activity);
  }

  /** Puts an activity in the place of the one with its ARN. */
  put(activity: ActivityRecord): void {
    this.#activities.set(activity.arn, activity);
    this.#changed();
  }

  delete(arn: string): void {
    if (this.#activities.delete(arn)) this.#changed();
  }
}

/** Creates an activity; the same name again is the same activity. @throws StatesError `InvalidName`, `TooManyTags`. */
export function createActivity(
  { machines, activities, clock }: Catalogue,
  request: { readonly name: string; readonly tags?: readonly Tag[] },
): { readonly activityArn: string; readonly creationDate: number } {
  const { name } = request;
  requireNameLength(name);
  requireNameCharacters(name);
  const { partition, region, account } = machines.home;
  const arn = `arn:${partition}:states:${region}:${account}:activity:${name}`;
  const known = activities.find(arn);
  const activity = known ?? { arn, name, creationDate: clock.now(), tags: mergeTags([], request.tags ?? []) };
  if (!known) activities.put(activity);
  return { activityArn: arn, creationDate: activity.creationDate };
}

/** @throws StatesError `InvalidArn`, `ActivityDoesNotExist`. */
export function requireActivity({ activities }: Catalogue, arn: string): ActivityRecord {
  requireActivityArn(arn);
  const activity = activities.find(arn);
  if (activity) return activity;
  throw new StatesError('ActivityDoesNotExist', `Activity Does Not Exist: '${arn}'`);
}

/** Deletes an activity. One that does not exist is fine. @throws StatesError `InvalidArn`. */
export function deleteActivity({ activities }: Catalogue, arn: string): void {
  requireActivityArn(arn);
  activities.delete(arn);
}
