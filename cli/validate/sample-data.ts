import type { Assembly, JsonObject } from '@onceflow/local';
import { RECORD, STATUS } from '../../state-machine/contract/index';
import { DISPATCHER_STATE, RECOVERY_STATE } from '../../state-machine/contract/state-names';
import { inputOfClaims } from '../app/example';
import { claimsIn } from '../definition/claims';

type Machine = Assembly['stateMachines'][number];

/** What a state is tested with: input, variables and the Context object, each as JSON text. */
export interface SampleData {
  readonly input: string;
  readonly variables: string;
  readonly context: string;
}

const AT = '2026-11-20T09:00:00.000Z';
const AT_MS = Date.parse(AT);

/**
 * What a state of a machine finds there when it is tested: made up, and such that its expressions have a value.
 *
 * @param machines - those of the app: one that starts or recovers a workflow has the workflow's input
 */
export function sampleDataFor(machine: Machine, machines: readonly Machine[], state: string): SampleData {
  const workflow = workflowOf(machine, machines);
  const event = inputOfClaims(workflow);
  const owner = `${workflow.arn.replace(':stateMachine:', ':execution:')}:owner`;
  const ended = {
    executionArn: owner,
    stateMachineArn: workflow.arn,
    status: 'ABORTED',
    error: '',
    startDate: AT_MS,
    stopDate: AT_MS,
    redriveCount: 0,
  };
  const ofTheEnd = { detail: ended, executions: [ended], workflowArn: workflow.arn };
  const inputs: Readonly<Record<string, object>> = {
    [RECOVERY_STATE.recoverFirst]: ofTheEnd,
    [RECOVERY_STATE.readInput]: ofTheEnd,
    [DISPATCHER_STATE.takeRecord]: { record: event, place: 0 },
  };
  // The other states have the event: those of recovery find it in the execution that has ended.
  const input = inputs[state] ?? event;
  const variables = variablesOf(machine, { event, ended, workflowArn: workflow.arn });
  const context = {
    Execution: {
      Id: owner,
      Name: 'owner',
      Input: input,
      StartTime: AT,
      RoleArn: machine.roleArn,
      RedriveCount: 0,
    },
    StateMachine: { Id: machine.arn, Name: machine.name },
    State: { Name: state, EnteredTime: AT, RetryCount: 0 },
  };
  const [one, two, three] = [input, variables, context].map(value => JSON.stringify(value));
  return { input: one ?? '', variables: two ?? '', context: three ?? '' };
}

/** The variables of all machines: where two mean another thing by one name, those of this machine. */
function variablesOf(machine: Machine, { event, ended, workflowArn }: Known): object {
  const isRecovery = machine.definitionText.includes(JSON.stringify(RECOVERY_STATE.readInput));
  const record = {
    [RECORD.idempotencyKey]: { S: 'scope#order-1' },
    [RECORD.status]: { S: STATUS.inProgress },
    [RECORD.owner]: { S: ended.executionArn },
    [RECORD.claimId]: { S: 'claim' },
    [RECORD.attempt]: { N: '1' },
    [RECORD.stepTimeout]: { N: '40' },
    [RECORD.claimedAt]: { S: AT },
    [RECORD.resultLocation]: { S: 's3://bucket/result' },
    [RECORD.resultHash]: { S: 'hash' },
  };
  return {
    idempotencyKey: 'scope#order-1',
    attempt: 1,
    redrives: 0,
    claimId: 'claim',
    payloadHash: 'hash',
    name: 'order-1',
    record,
    rejections: 0,
    failedEvaluations: 1,
    evaluationError: '',
    failure: { Error: 'Declined', Cause: '' },
    owner: {
      ...ended,
      redriveStatus: 'REDRIVABLE',
      lookedIn: 0,
      // The workflow has the date as Step Functions writes it.
      ...(!isRecovery && { stopDate: AT }),
    },
    redriveError: '',
    waitUntil: AT_MS,
    waits: 1,
    includedData: 'METADATA_ONLY',
    serviceError: '',
    failedState: '',
    lastState: { isOfThisEnd: true, name: '', isLeft: false },
    requests: [],
    pageToken: 'page',
    doubt: { Error: '', Cause: '' },
    isReadable: true,
    differing: {},
    doubtCause: '',
    resultLocation: 's3://bucket/result',
    resultHash: 'hash',
    // Of recovery and redelivery.
    input: JSON.stringify(event),
    workflowArn,
    endedAt: AT_MS,
    // It is read anew before anything is delivered that was read long ago.
    readAt: Date.now(),
    actedAt: 0,
    acts: 0,
    deliveries: 0,
    deliveryArn: ended.executionArn,
    delivery: 'SUCCEEDED',
    seconds: 60,
    hasWaited: true,
    // Of the front door.
    recordKey: 'scope#order-1',
    sure: true,
    front: 'order',
    isOurs: true,
    heldFor: 'Idempotency.InDoubt',
    reason: '',
  };
}

/** What the variables are about. */
interface Known {
  readonly event: JsonObject;
  readonly ended: Readonly<Record<string, string | number>> & { readonly executionArn: string };
  readonly workflowArn: string;
}

/** The workflow that a machine belongs to, by the beginning of its logical id; else the machine itself. */
function workflowOf(machine: Machine, machines: readonly Machine[]): Machine {
  const around = machines.flatMap(one => {
    const path = one.logicalId.replace(/StateMachine[0-9A-F]{8}$/, '');
    const isAround = one.stack === machine.stack && machine.logicalId.startsWith(path);
    return isAround && claimsIn(one.definitionText).some(({ isStart }) => isStart) ? [{ one, path }] : [];
  });
  const [nearest] = around.sort((a, b) => b.path.length - a.path.length);
  return nearest?.one ?? machine;
}
