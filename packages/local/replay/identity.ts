import type { Execution, Machine } from '../engine/index';
import type { RecordedEvent } from './recording';

/** Who an execution is: a history does not say it, but what the execution has sent often does. */
export interface Identity {
  readonly executionArn: string;
  readonly executionName: string;
  readonly machineArn: string;
  readonly machineName: string;
}

/** What the execution and its state machine are called until the recording has said it. */
export const UNKNOWN = { machine: 'onceflow0machine0name', execution: 'onceflow0execution0name' } as const;

/** Where the recorded state machine was deployed: as its role and its calls say. */
export interface Deployment {
  readonly partition: string;
  readonly region: string;
  readonly account: string;
}

/** The deployment of a recording; `region` is a guess if the recording contains no call. */
export function deploymentOf(events: readonly RecordedEvent[]): Deployment {
  const [, partition = 'aws', , , account = '111111111111'] = String(events[0]?.details['roleArn']).split(
    ':',
  );
  const called = events.find(({ details }) => typeof details['region'] === 'string')?.details['region'];
  const functions = events.find(({ type }) => type === 'LambdaFunctionScheduled')?.details['resource'];
  const region = called ?? String(functions ?? '').split(':')[3] ?? '';
  return { partition, region: String(region) || 'us-east-1', account };
}

/** The identity of these names in a deployment. */
export function identityIn(
  { partition, region, account }: Deployment,
  { machine, execution }: { readonly machine: string; readonly execution: string },
): Identity {
  const arn = `arn:${partition}:states:${region}:${account}`;
  return {
    executionArn: `${arn}:execution:${machine}:${execution}`,
    executionName: execution,
    machineArn: `${arn}:stateMachine:${machine}`,
    machineName: machine,
  };
}

/** The identities that the texts of a recording speak of, the first first. */
export function identitiesIn(events: readonly RecordedEvent[]): readonly Identity[] {
  const found = new Map<string, Identity>();
  for (const { details } of events) {
    const text = JSON.stringify(details);
    if (!text.includes(':execution:')) continue;
    for (const [
      arn,
      partition = '',
      region = '',
      account = '',
      machine = '',
      execution = '',
    ] of text.matchAll(ARN))
      found.set(arn, identityIn({ partition, region, account }, { machine, execution }));
    if (found.size > IDENTITIES_MAX) break;
  }
  return [...found.values()];
}

const IDENTITIES_MAX = 8;
const ARN = /arn:(aws[\w-]*):states:([\w-]+):(\d{12}):execution:([\w.-]+):([\w.-]+)/g;

/** The same transition of an execution that is called so. */
export function identifiedBy<At extends { readonly execution: Execution; readonly machine: Machine }>(
  { executionArn: arn, executionName: name, machineArn, machineName }: Identity,
  at: At,
): At {
  return {
    ...at,
    execution: { ...at.execution, arn, name },
    machine: { ...at.machine, arn: machineArn, name: machineName },
  };
}
