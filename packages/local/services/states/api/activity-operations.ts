import {
  createActivity,
  deleteActivity,
  requireActivity,
} from '../../../runtime/catalogue/activity-operations';
import { pageOf } from '../../../runtime/pages';
import { ARN, NAME, OPTIONAL_NAME, PAGE_SIZE, PAGE_TOKEN, TAGS } from './fields';
import { NOTHING, type Operations, operation } from './operation';

/** How long GetActivityTask waits for a task, in milliseconds, as on the service. */
const POLL_MS = 60_000;

/**
 * Operations on activities.
 *
 * A definition that names an activity is refused, so there are records of activities but never a task: a poll waits its
 * time and answers that there is none.
 */
export const ACTIVITY_OPERATIONS: Operations = {
  CreateActivity: operation({ name: NAME, tags: TAGS }, ({ catalogue }, request) => {
    return createActivity(catalogue, request);
  }),

  DescribeActivity: operation({ activityArn: ARN }, ({ catalogue }, { activityArn }) => {
    const { name, creationDate } = requireActivity(catalogue, activityArn);
    return { activityArn, name, creationDate, encryptionConfiguration: { type: 'AWS_OWNED_KEY' } };
  }),

  DeleteActivity: operation({ activityArn: ARN }, ({ catalogue }, { activityArn }) => {
    deleteActivity(catalogue, activityArn);
    return NOTHING;
  }),

  ListActivities: operation({ maxResults: PAGE_SIZE, nextToken: PAGE_TOKEN }, ({ catalogue }, request) => {
    const { items, ...more } = pageOf(catalogue.activities.list(), request);
    const activities = items.map(({ arn, name, creationDate }) => ({ activityArn: arn, name, creationDate }));
    return { activities, ...more };
  }),

  GetActivityTask: operation(
    { activityArn: ARN, workerName: OPTIONAL_NAME },
    async ({ catalogue }, { activityArn }) => {
      requireActivity(catalogue, activityArn);
      const { clock } = catalogue;
      await new Promise<void>(resolve => clock.at(clock.now() + POLL_MS, resolve));
      return NOTHING;
    },
  ),
};
