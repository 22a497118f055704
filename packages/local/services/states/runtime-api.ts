import type { ActivityTaskRequest } from '../../runtime/activity-tasks';
import { requireActivity } from '../../runtime/catalogue/activity-operations';
import type { Catalogue } from '../../runtime/catalogue/catalogue';
import { describeStateMachine } from '../../runtime/catalogue/describe-machine';
import { withIncluded } from '../../runtime/descriptions';
import type { Machines } from '../../runtime/machines';
import { type PageRequest, pageOf } from '../../runtime/pages';
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
      runtime.waitWithinCall(runtime.startSyncExecution(request)),
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
      return (await runtime.waitWithinCall(runtime.activityTasks.next(request))) ?? {};
    },
    sendTaskSuccess: (request: Parameters<Runtime['sendTaskSuccess']>[0]) => runtime.sendTaskSuccess(request),
    sendTaskFailure: (request: Parameters<Runtime['sendTaskFailure']>[0]) => runtime.sendTaskFailure(request),
    sendTaskHeartbeat: (request: Parameters<Runtime['sendTaskHeartbeat']>[0]) =>
      runtime.sendTaskHeartbeat(request),
    whenEnded: executionArn => runtime.whenEnded(executionArn),
  };
}

function listStateMachines(machines: Machines, request: PageRequest): object {
  const { items, ...more } = pageOf(machines.list(), request);
  const stateMachines = items.map(({ arn, name, type, creationDate }) => {
    return { stateMachineArn: arn, name, type, creationDate };
  });
  return { stateMachines, ...more };
}
