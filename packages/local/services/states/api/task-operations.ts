import { CAUSE, DATA, ERROR, TASK_TOKEN } from './fields';
import { NOTHING, type Operations, operation } from './operation';

/** Operations on tasks by their tokens: success, failure, heartbeat. */
export const TASK_OPERATIONS: Operations = {
  SendTaskSuccess: operation(
    { taskToken: TASK_TOKEN, output: { ...DATA, required: true } },
    async ({ runtime }, request) => {
      await runtime.taskResults.succeed(request);
      return NOTHING;
    },
  ),

  SendTaskFailure: operation(
    { taskToken: TASK_TOKEN, error: ERROR, cause: CAUSE },
    async ({ runtime }, request) => {
      await runtime.taskResults.fail(request);
      return NOTHING;
    },
  ),

  SendTaskHeartbeat: operation({ taskToken: TASK_TOKEN }, async ({ runtime }, request) => {
    await runtime.taskResults.heartbeat(request);
    return NOTHING;
  }),
};
