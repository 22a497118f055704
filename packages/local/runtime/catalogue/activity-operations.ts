import { requireActivityArn } from '../requests/arns';
import { StatesError } from '../requests/errors';
import { requireNameCharacters, requireNameLength } from '../requests/names';
import type { ActivityRecord } from './activities';
import type { Catalogue } from './catalogue';
import type { Tag } from './catalogue-item';
import { mergeTags } from './tags';

/** Creates an activity; the same name again is the same activity. @throws StatesError `InvalidName`, `TooManyTags`. */
export function createActivity(
  { machines, activities, clock }: Catalogue,
  request: { readonly name: string; readonly tags?: readonly Tag[] },
): { readonly activityArn: string; readonly creationDate: number } {
  const { name } = request;
  requireNameLength(name);
  requireNameCharacters(name);
  const { partition, region, account } = machines.environment;
  const arn = `arn:${partition}:states:${region}:${account}:activity:${name}`;
  const known = activities.find(arn);
  const activity = known ?? { arn, name, creationDate: clock.now(), tags: mergeTags([], request.tags ?? []) };
  if (!known) activities.put(activity);
  return { activityArn: arn, creationDate: activity.creationDate };
}

/** @throws StatesError `InvalidArn`, `ActivityDoesNotExist`. */
export function requireActivity({ activities }: Pick<Catalogue, 'activities'>, arn: string): ActivityRecord {
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
