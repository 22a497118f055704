import { isJsonObject, type JsonObject } from '../../../packages/local/json/json';
import type { JobResult } from '../../../packages/local/runtime/calls/service';
import { statesOf } from '../model/definition-states';
import type { Call } from '../model/execution-state';
import { cachePerSpace, type StateSpace } from '../model/state-space';
import type { ExploredMachine } from '../model/subject';

/** Whose request it is. */
export type Asker = 'workflow' | 'dispatcher' | 'recovery' | 'redelivery' | 'frontDoor';

/** What a request names that it goes to, and how a service answers where that is not there. */
const TARGETS = [
  ['FunctionName', 'ResourceNotFoundException'],
  ['StateMachineArn', 'StateMachineDoesNotExistException'],
  ['TableName', 'ResourceNotFoundException'],
  ['QueueUrl', 'QueueDoesNotExistException'],
  ['Bucket', 'NoSuchBucketException'],
] as const;

const PREFIXES: Readonly<Record<string, string>> = {
  dynamodb: 'DynamoDB',
  lambda: 'Lambda',
  s3: 'S3',
  sqs: 'SQS',
  states: 'StepFunctions',
};

/** What requests to a missing target are answered, by the target; null: the target is there. */
const answersByTarget = cachePerSpace(() => new Map<string, JobResult | null>());

/**
 * The answer to a request that goes to something else than was deployed for its state: there is no such function,
 * machine, table, queue or bucket. Undefined where it goes there. A state that is new goes where it likes.
 */
export function missingTarget(space: StateSpace, of: Asker, call: Call): JobResult | undefined {
  const key = `${of} ${call.stateName} ${TARGETS.map(([name]) => call.arguments[name] ?? '').join(' ')}`;
  const answers = answersByTarget(space);
  const known = answers.get(key);
  if (known !== undefined) return known ?? undefined;
  const missing = missingIn(space, of, call);
  answers.set(key, missing ?? null);
  return missing;
}

function missingIn({ subject }: StateSpace, of: Asker, call: Call): JobResult | undefined {
  const { workflow, former = workflow } = subject;
  const machines = of === 'workflow' ? [workflow, former] : [subject[of]];
  const [service = ''] = call.resource.replace(/^aws-sdk:/, '').split(':');
  const prefix = PREFIXES[service] ?? 'Sfn';
  const missing = TARGETS.find(
    ([name]) =>
      call.arguments[name] !== undefined &&
      !machines.some(machine => !machine || isThere(subject.workflow, machine, call, name)),
  );
  return missing && { kind: 'failed', error: `${prefix}.${missing[1]}`, cause: '' };
}

function isThere(workflow: ExploredMachine, machine: ExploredMachine, call: Call, name: string): boolean {
  const { Arguments: given, Parameters: request = given } =
    statesOf((machine.deployed ?? machine).json)[call.stateName] ?? {};
  const expected = isJsonObject(request ?? null) ? (request as JsonObject)[name] : undefined;
  if (expected === undefined) return true;
  // The input of recovery names the machine that recovery delivers to.
  if (typeof expected === 'string' && expected.startsWith('{%'))
    return name !== 'StateMachineArn' || call.arguments[name] === workflow.machine.arn;
  return JSON.stringify(call.arguments[name]) === JSON.stringify(expected);
}
