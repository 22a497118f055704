import { describeStateMachine } from '../runtime/catalogue/describe-machine';
import type { Machines } from '../runtime/machines';
import { type PageRequest, pageOf } from '../runtime/pages';
import type { Runtime } from '../runtime/runtime';
import type { StepFunctionsApi } from './states/integrations/api';

/** What answers the calls of a runtime's own state machines. */
export interface OwnStates {
  readonly runtime: Runtime;
  readonly machines: Machines;
}

/**
 * Step Functions as state machines of the same runtime call it.
 *
 * `running` is asked at each call: the services come first, as the runtime needs them to begin with.
 */
export function ownStates(running: () => OwnStates): StepFunctionsApi {
  const runtime = () => running().runtime;
  return {
    startExecution: request => runtime().startExecution(request),
    startSyncExecution: (request: Parameters<Runtime['startSyncExecution']>[0]) =>
      runtime().waitWithinCall(runtime().startSyncExecution(request)),
    describeExecution: request => runtime().describeExecution(request),
    stopExecution: request => runtime().stopExecution(request),
    redriveExecution: (request: Parameters<Runtime['redriveExecution']>[0]) =>
      runtime().redriveExecution(request),
    getExecutionHistory: (request: Parameters<Runtime['getExecutionHistory']>[0]) =>
      runtime().getExecutionHistory(request),
    listExecutions: (request: Parameters<Runtime['listExecutions']>[0]) => runtime().listExecutions(request),
    describeStateMachine: async ({ stateMachineArn }: { readonly stateMachineArn: string }) =>
      describeStateMachine(running(), stateMachineArn),
    listStateMachines: async (request: PageRequest) => listStateMachines(running().machines, request),
    sendTaskSuccess: (request: Parameters<Runtime['sendTaskSuccess']>[0]) =>
      runtime().sendTaskSuccess(request),
    sendTaskFailure: (request: Parameters<Runtime['sendTaskFailure']>[0]) =>
      runtime().sendTaskFailure(request),
    sendTaskHeartbeat: (request: Parameters<Runtime['sendTaskHeartbeat']>[0]) =>
      runtime().sendTaskHeartbeat(request),
    whenEnded: executionArn => runtime().whenEnded(executionArn),
  };
}

function listStateMachines(machines: Machines, request: PageRequest): object {
  const { items, ...more } = pageOf(machines.list(), request);
  const stateMachines = items.map(({ arn, name, type, creationDate }) => {
    return { stateMachineArn: arn, name, type, creationDate };
  });
  return { stateMachines, ...more };
}
