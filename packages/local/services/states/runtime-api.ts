import { requireActivity } from '../../runtime/catalogue/activity-operations';
import type { Catalogue } from '../../runtime/catalogue/catalogue';
import { describeStateMachine } from '../../runtime/catalogue/describe-machine';
import type { MachineRegistry } from '../../runtime/catalogue/machine-registry';
import { withIncluded } from '../../runtime/executions/descriptions';
import type { TaskResults } from '../../runtime/executions/task-results';
import type { ActivityTaskRequest } from '../../runtime/executor/activity-tasks';
import { type PageRequest, pageOf } from '../../runtime/requests/pages';
import type { Runtime } from '../../runtime/runtime';
import type { StepFunctionsApi } from './step-functions-api';

/** Step Functions as state machines of the same runtime call it. */
export function runtimeApi(
  runtime: Runtime,
  catalogue: Pick<Catalogue, 'machines' | 'activities'>,
): StepFunctionsApi {
  const { machines } = catalogue;
  return {
    startExecution: request => runtime.startExecution(request),
    startSyncExecution: (request: Parameters<Runtime['startSyncExecution']>[0]) =>
      runtime.work.release(runtime.startSyncExecution(request)),
    describeExecution: async ({ executionArn, includedData }) =>
      withIncluded(await runtime.describeExecution({ executionArn }), includedData),
    stopExecution: request => runtime.stopExecution(request),
    redriveExecution: (request: Parameters<Runtime['redriveExecution']>[0]) =>
      runtime.redriveExecution(request),
    getExecutionHistory: (request: Parameters<Runtime['getExecutionHistory']>[0]) =>
      runtime.getExecutionHistory(request),
    listExecutions: (request: Parameters<Runtime['listExecutions']>[0]) => runtime.listExecutions(request),
    describeStateMachine: async ({ stateMachineArn }: { readonly stateMachineArn: string }) =>
      describeStateMachine({ machines }, stateMachineArn),
    listStateMachines: async (request: PageRequest) => listStateMachines(machines, request),
    getActivityTask: async (request: ActivityTaskRequest) => {
      requireActivity(catalogue, request.activityArn);
      return (await runtime.work.release(runtime.activityTasks.next(request))) ?? {};
    },
    sendTaskSuccess: (request: Parameters<TaskResults['succeed']>[0]) => runtime.taskResults.succeed(request),
    sendTaskFailure: (request: Parameters<TaskResults['fail']>[0]) => runtime.taskResults.fail(request),
    sendTaskHeartbeat: (request: Parameters<TaskResults['heartbeat']>[0]) =>
      runtime.taskResults.heartbeat(request),
    whenEnded: executionArn => runtime.whenEnded(executionArn),
  };
}

function listStateMachines(machines: MachineRegistry, request: PageRequest): object {
  const { items, ...more } = pageOf(machines.list(), request);
  const stateMachines = items.map(({ arn, name, type, creationDate }) => {
    return { stateMachineArn: arn, name, type, creationDate };
  });
  return { stateMachines, ...more };
}
