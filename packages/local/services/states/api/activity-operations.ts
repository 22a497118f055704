import {
  createActivity,
  deleteActivity,
  requireActivity,
} from '../../../runtime/catalogue/activity-operations';
import { pageOf } from '../../../runtime/requests/pages';
import { ARN, NAME, OPTIONAL_NAME, PAGE_SIZE, PAGE_TOKEN, TAGS } from './fields';
import { NOTHING, type Operations, operation } from './operation';

/** Operations on activities. A worker that asks for a task and hangs up before there is one gets none. */
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
    async ({ runtime, catalogue }, request, whenGone) => {
      requireActivity(catalogue, request.activityArn);
      return (await runtime.activityTasks.next(request, whenGone)) ?? NO_TASK;
    },
  ),
};

/** The answer to a worker if there is no task for it. */
const NO_TASK = { taskToken: null, input: null };
