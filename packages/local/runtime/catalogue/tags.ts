import { requireMachineArn } from '../requests/arns';
import { StatesError } from '../requests/errors';
import type { Catalogue } from './catalogue';
import type { Tag } from './catalogue-item';

/** Tags one resource can have (service quota). */
const TAGS_MAX = 50;

/** The tags with others set over them. @throws StatesError `TooManyTags`. */
export function mergeTags(tags: readonly Tag[], more: readonly Tag[]): readonly Tag[] {
  const merged = new Map([...tags, ...more].map(({ key, value }) => [key, value]));
  if (merged.size > TAGS_MAX) {
    throw new StatesError('TooManyTags', `Too many tags: a resource can have at most ${TAGS_MAX}.`);
  }
  return [...merged].map(([key, value]) => ({ key, value }));
}

/** Adds tags to a machine or an activity. @throws StatesError `InvalidArn`, `ResourceNotFound`, `TooManyTags`. */
export function tagResource(catalogue: Catalogue, resourceArn: string, tags: readonly Tag[]): void {
  changeTags(catalogue, resourceArn, before => mergeTags(before, tags));
}

/** Removes tags; keys that are not there are fine. @throws StatesError `InvalidArn`, `ResourceNotFound`. */
export function untagResource(catalogue: Catalogue, resourceArn: string, tagKeys: readonly string[]): void {
  changeTags(catalogue, resourceArn, before => before.filter(({ key }) => !tagKeys.includes(key)));
}

/** The tags of a machine or an activity, oldest first. @throws StatesError `InvalidArn`, `ResourceNotFound`. */
export function listTagsForResource(catalogue: Catalogue, resourceArn: string): readonly Tag[] {
  return changeTags(catalogue, resourceArn, before => before);
}

function changeTags(
  { machines, activities }: Catalogue,
  arn: string,
  change: (before: readonly Tag[]) => readonly Tag[],
): readonly Tag[] {
  const activity = activities.find(arn);
  if (activity) {
    const tags = change(activity.tags);
    if (tags !== activity.tags) activities.put({ ...activity, tags });
    return tags;
  }
  requireMachineArn(arn);
  const item = machines.items().find(({ machine }) => machine.arn === arn);
  if (!item) throw new StatesError('ResourceNotFound', `Resource not found: '${arn}'`);
  const tags = change(item.tags);
  if (tags !== item.tags) machines.put({ ...item, tags });
  return tags;
}
