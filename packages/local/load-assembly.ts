import { type ImportingContent, type LoadOptions, loadContent } from './assembly/load';
import type { NotRunResource } from './assembly/not-run';
import type { Problem } from './assembly/problem';
import { LocalError } from './local-error';
import { GLOBAL_TABLE, TABLE, type TableSpec } from './services/dynamodb/cloudformation';
import { EVENT_BUS, type EventBusSpec, RULE, type RuleSpec } from './services/events/cloudformation';
import { SUBSCRIBER, type SubscriberSpec } from './services/events/custom/cloudformation';
import { SCHEDULE, type ScheduleSpec } from './services/events/scheduler/cloudformation';
import { RESOURCE_TYPES } from './services/index';
import { type DeployedFunction, FUNCTION } from './services/lambda/cloudformation';
import { EVENT_SOURCE_MAPPING, type QueueSourceSpec } from './services/lambda/event-sources/cloudformation';
import { BUCKET, type BucketSpec } from './services/s3/cloudformation';
import { SUBSCRIPTION, type SubscriptionSpec, TOPIC, type TopicSpec } from './services/sns/cloudformation';
import { QUEUE, type QueueSpec } from './services/sqs/cloudformation';
import { STATE_MACHINE, type StateMachineSpec } from './services/states/cloudformation';

/**
 * What a cloud assembly deploys, with every reference resolved: all that a local stack needs to run it.
 *
 * @example
 * const names = stack.assembly.stateMachines.map(({ name }) => name);
 */
export interface Assembly extends ImportingContent {
  readonly stateMachines: readonly StateMachineSpec[];
  readonly functions: readonly DeployedFunction[];
  readonly tables: readonly TableSpec[];
  /** The buses the templates define. The account's `default` bus always exists and is not among them. */
  readonly eventBuses: readonly EventBusSpec[];
  /** The subscribers of custom event buses. */
  readonly customBusSubscribers: readonly SubscriberSpec[];
  readonly rules: readonly RuleSpec[];
  /** The schedules of EventBridge Scheduler. */
  readonly schedules: readonly ScheduleSpec[];
  readonly queues: readonly QueueSpec[];
  readonly topics: readonly TopicSpec[];
  /** What gets the messages of topics. */
  readonly subscriptions: readonly SubscriptionSpec[];
  readonly buckets: readonly BucketSpec[];
  readonly queueSources: readonly QueueSourceSpec[];
  /** Resources that are not run here: those of types that nothing plays, and those that use what is not built. */
  readonly notRun: readonly NotRunResource[];
}

/** An assembly ready to run, or every problem that it cannot run with. */
export type LoadResult =
  | { readonly kind: 'assembly'; readonly assembly: Assembly }
  | { readonly kind: 'problems'; readonly problems: readonly Problem[] };

/**
 * Reads a cloud assembly (the `cdk.out` that `cdk synth` writes), a template of SAM or CloudFormation, or a state
 * machine, into what a local stack runs; never throws for the content of the files.
 *
 * @example
 * const loaded = loadAssembly('cdk.out', { stacks: ['Payments'] });
 * if (loaded.kind === 'problems') return loaded.problems.map(({ where, message }) => `${where} ${message}`);
 */
export function loadAssembly(sources: string | readonly string[], options: LoadOptions = {}): LoadResult {
  const loaded = loadContent(sources, RESOURCE_TYPES, options);
  return loaded.kind === 'problems' ? loaded : { kind: 'assembly', assembly: assemblyOf(loaded.content) };
}

function assemblyOf(content: ImportingContent): Assembly {
  const { resources } = content;
  const topics = resources.of(TOPIC);
  return {
    ...content,
    stateMachines: resources.of(STATE_MACHINE),
    functions: resources.of(FUNCTION),
    tables: resources.of(TABLE, GLOBAL_TABLE),
    eventBuses: resources.of(EVENT_BUS),
    customBusSubscribers: resources.of(SUBSCRIBER),
    rules: resources.of(RULE),
    schedules: resources.of(SCHEDULE),
    queues: resources.of(QUEUE),
    topics,
    subscriptions: [...topics.flatMap(topic => topic.subscriptions), ...resources.of(SUBSCRIPTION)],
    buckets: resources.of(BUCKET),
    queueSources: resources.of(EVENT_SOURCE_MAPPING),
    notRun: resources.notRun,
  };
}

/**
 * The assembly in a directory, or what a template or a state machine deploys.
 *
 * @throws LocalError `InvalidAssembly` with every problem
 *
 * @example
 * const assembly = readAssembly('cdk.out');
 */
export function readAssembly(sources: string | readonly string[], options: LoadOptions = {}): Assembly {
  if (![sources].flat().every(source => typeof source === 'string')) {
    throw new LocalError('InvalidAssembly', ['give its directory as a text, such as app.synth().directory']);
  }
  const loaded = loadAssembly(sources, options);
  if (loaded.kind === 'assembly') return loaded.assembly;
  throw new LocalError(
    'InvalidAssembly',
    loaded.problems.map(({ where, message }) => `${where}: ${message}`),
  );
}

/** The value of a stack output. @throws LocalError `InvalidAssembly` with the names there are */
export function outputOf({ outputs }: Assembly, name: string): string {
  const output = outputs.find(candidate => candidate.name === name);
  if (typeof output?.value === 'string') return output.value;
  const known = outputs.map(candidate => candidate.name).join(', ') || 'none';
  throw new LocalError('InvalidAssembly', [`no stack output ${name}; the stacks have: ${known}`]);
}

/** The values of all stack outputs that have one, by stack and name: what `cdk deploy --outputs-file` writes. */
export function outputsOf({ outputs }: Assembly): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const stacks: Record<string, Record<string, string>> = {};
  for (const { stack, name, value } of outputs) {
    if (typeof value !== 'string') continue;
    stacks[stack] = { ...stacks[stack], [name]: value };
  }
  return stacks;
}

/** A local stack is in one region and account: those of the assembly's first state machine. */
export function environmentOf({ stateMachines }: Assembly): {
  readonly region: string;
  readonly account: string;
} {
  const [, , , region = 'us-east-1', account = '111111111111'] = stateMachines[0]?.arn.split(':') ?? [];
  return { region, account };
}
