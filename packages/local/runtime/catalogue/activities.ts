import type { Tag } from './catalogue-item';

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

  /** Loads activities that were saved before; `changed` is not called. */
  load(activities: readonly ActivityRecord[]): void {
    for (const activity of activities) this.#activities.set(activity.arn, activity);
  }

  /** Replaces the activity with the same ARN, or adds it. */
  put(activity: ActivityRecord): void {
    this.#activities.set(activity.arn, activity);
    this.#changed();
  }

  delete(arn: string): void {
    if (this.#activities.delete(arn)) this.#changed();
  }
}
