import type { Assembly } from '@onceflow/local';
import { RECORD, STATUS } from '../../state-machine/contract/index';
import { exampleOf } from '../app/example';

type Machine = Assembly['stateMachines'][number];

/** What a state is tested with: input, variables and the Context object, each as JSON text. */
export interface SampleData {
  readonly input: string;
  readonly variables: string;
  readonly context: string;
}

const AT = '2026-11-20T09:00:00.000Z';
const AT_MS = Date.parse(AT);

/** What every state of a machine finds there when it is tested: made up, and such that its expressions have a value. */
export function sampleDataFor(machine: Machine): SampleData {
  const input = exampleOf([machine], [])?.input ?? {};
  const owner = `${machine.arn.replace(':stateMachine:', ':execution:')}:owner`;
  const record = {
    [RECORD.idempotencyKey]: { S: 'scope#order-1' },
    [RECORD.status]: { S: STATUS.inProgress },
    [RECORD.owner]: { S: owner },
    [RECORD.claimId]: { S: 'claim' },
    [RECORD.attempt]: { N: '1' },
    [RECORD.stepTimeout]: { N: '40' },
    [RECORD.claimedAt]: { S: AT },
  };
  const variables = {
    idempotencyKey: 'scope#order-1',
    attempt: 1,
    redrives: 0,
    claimId: 'claim',
    payloadHash: 'hash',
    record,
    refusals: 0,
    failedEvaluations: 1,
    evaluationError: '',
    failure: { Error: 'Declined', Cause: '' },
    owner: {
      status: 'ABORTED',
      stopDate: AT,
      error: '',
      redriveCount: 0,
      redriveStatus: 'REDRIVABLE',
      lookedIn: 0,
    },
    redriveError: '',
    waitUntil: AT_MS,
    waits: 1,
    includedData: 'METADATA_ONLY',
    serviceError: '',
    place: { isOfThisEnd: true, state: '', isLeft: false },
    pageToken: 'page',
    doubt: { Error: '', Cause: '' },
  };
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
    State: { Name: 'Tested', EnteredTime: AT, RetryCount: 0 },
  };
  const [one, two, three] = [input, variables, context].map(value => JSON.stringify(value));
  return { input: one ?? '', variables: two ?? '', context: three ?? '' };
}
