import type { LocalStack } from '@onceflow/local';
import { type Example, exampleOf } from '../app/example';
import { type Send, type ServedApi, sendsOfExample } from '../app/sends';

/** The facts that a user of a running stack needs. */
export interface Summary {
  readonly endpoint: string;
  /** The page that shows what runs in it; null where @onceflow/console is not installed. */
  readonly console: string | null;
  readonly region: string;
  readonly account: string;
  /** The process to end. */
  readonly pid: number;
  /** The directory that keeps the state, or null for memory. */
  readonly state: string | null;
  /** The resources of the assembly that run, as all below, without those that requests have created. */
  readonly stateMachines: readonly { readonly name: string; readonly arn: string }[];
  readonly tables: readonly string[];
  readonly functions: readonly string[];
  readonly eventBuses: readonly string[];
  /** Their URLs, by which `onceflow resend` and SDKs take them. */
  readonly queues: readonly string[];
  /** Their ARNs, by which SDKs take them. */
  readonly topics: readonly string[];
  readonly buckets: readonly string[];
  /** The REST APIs, one for each stage, with the methods that are run, e.g. `POST /payments`. */
  readonly restApis: readonly (ServedApi & { readonly name: string; readonly stage: string })[];
  /** The stack outputs by stack and name, as `cdk deploy --outputs-file` writes them, with URLs that lead here. */
  readonly outputs: LocalStack['outputs'];
  /** What of the app is not run, e.g. `function Report: it has the runtime ruby3.3`, one line for each kind. */
  readonly notRun: readonly string[];
  /** Executions that were running when the stack last ended, and go on. */
  readonly resumed: number;
  /** A start to begin with; null where there is no state machine. */
  readonly example: Example | null;
  /** How the example's input reaches its workflow through the app's sources. */
  readonly sends: readonly Send[];
}

/** What a running stack has to tell. */
export function summaryOf(
  stack: LocalStack,
  { state, page }: { readonly state: string | undefined; readonly page: string | undefined },
): Summary {
  const { assembly, region, account, endpoint = '' } = stack;
  const isRun = ({ arn }: { readonly arn: string }) => !stack.notRun.some(({ names }) => names.includes(arn));
  const machines = assembly.stateMachines.filter(isRun);
  const example = exampleOf(machines, assembly.rules) ?? null;
  return {
    endpoint,
    console: page ?? null,
    region,
    account,
    pid: process.pid,
    state: state ?? null,
    stateMachines: machines.map(({ name, arn }) => ({ name, arn })),
    tables: assembly.tables.map(({ name }) => name),
    functions: assembly.functions.map(({ name }) => name),
    eventBuses: assembly.eventBuses.map(({ name }) => name),
    queues: stack.queues.list().map(({ url }) => url),
    topics: assembly.topics.map(({ arn }) => arn),
    buckets: assembly.buckets.map(({ name }) => name),
    restApis: stack.restApis.map(({ id, ...told }) => told),
    outputs: stack.outputs,
    notRun: notRunLines(stack.notRun),
    resumed: stack.resumed,
    example,
    sends: example ? sendsOfExample({ ...assembly, stateMachines: machines }, stack.restApis, example) : [],
  };
}

/** So many are called by name in one line. */
const NAMES_MAX = 3;

/** Resources of one kind that are not run for one reason share a line. */
function notRunLines(resources: LocalStack['notRun']): readonly string[] {
  const named = new Map<string, string[]>();
  for (const {
    type,
    logicalId,
    names: [name = logicalId],
    reason,
  } of resources) {
    const kind = `${KINDS.get(type) ?? type}\n${reason === undefined ? '' : `: ${reason}`}`;
    named.set(kind, [...(named.get(kind) ?? []), name.split(':').at(-1) ?? name]);
  }
  return [...named].map(([key, names]) => {
    const [kind, reason] = key.split('\n');
    const more = names.length > NAMES_MAX ? ` and ${names.length - NAMES_MAX} more` : '';
    return `${kind} ${names.slice(0, NAMES_MAX).join(', ')}${more}${reason}`;
  });
}

/** What people call the types that are run in other cases. */
const KINDS = new Map([
  ['AWS::Lambda::Function', 'function'],
  ['AWS::Lambda::EventSourceMapping', 'event source mapping'],
  ['AWS::SQS::Queue', 'queue'],
  ['AWS::StepFunctions::StateMachine', 'state machine'],
  ['AWS::Events::Rule', 'rule'],
  ['AWS::DynamoDB::Table', 'table'],
  ['AWS::ApiGateway::RestApi', 'REST API'],
  ['AWS::ApiGateway::Method', 'method'],
  ['AWS::ApiGatewayV2::Api', 'API'],
]);
