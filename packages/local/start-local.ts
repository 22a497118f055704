import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { NotRunResource } from './assembly/not-run';
import { AsyncDisposableStack } from './async-disposable-stack';
import { type Assembly, environmentOf, outputOf, readAssembly } from './load-assembly';
import { damagedDirectory, LocalError } from './local-error';
import { Activity } from './runtime/activity';
import type { Clock } from './runtime/clock';
import { randomIds, seededIds } from './runtime/ids';
import { RealClock } from './runtime/real-clock';
import type { Runtime } from './runtime/runtime';
import type { Interceptor } from './runtime/service';
import { type OpenServices, openServices } from './services';
import type { EventBuses } from './services/events/buses';
import type { Schedules } from './services/events/schedules';
import type { LambdaFunctions } from './services/lambda/functions';
import type { DeliveryInterceptor, Environment, MetricDatum, ServiceContext } from './services/local-service';
import { ServiceRegistry } from './services/service-registry';
import type { Queues } from './services/sqs/queues';
import type { LogEvent } from './services/states/execution-log';
import { requirePort, startEndpoint } from './start-endpoint';
import { DamagedState } from './state/damage';
import { openStateDirectory, type StateDirectory } from './state/directory';
import { statusChangeEvent } from './status-change-event';

/** Some weeks of development, in some thirty megabytes of memory. */
const KEEP_DEFAULT = 25_000;

/** What a local stack is started from. */
export interface LocalOptions {
  /** Directory of a cloud assembly, as `cdk synth` writes it. */
  readonly assembly: string;
  /** @default - the machine's clock */
  readonly clock?: Clock;
  /**
   * Determines ids and the jitter of retries: on a virtual clock the same seed gives the same histories.
   *
   * @default - different in every run
   */
  readonly seed?: string;
  /** Stands between the state machines and the services: to inject faults there. */
  readonly interceptor?: Interceptor;
  /**
   * For interceptors that let clock time pass or never answer: see `Activity.pause` and `Activity.lose`.
   *
   * @default - one of the stack's own
   */
  readonly activity?: Activity;
  /**
   * The loopback port on which AWS clients reach the stack; 0 for one that is free.
   *
   * @default - no endpoint: the stack is reached through this object only
   */
  readonly port?: number;
  /**
   * Directory in which executions, histories, tables, queues, state machines and activities survive restarts and
   * crashes.
   *
   * What was running goes on. It is for one process at a time, and not to be combined with `seed`, from which a second
   * run would draw the names of the first again.
   *
   * @default - memory
   */
  readonly state?: string;
  /**
   * How many executions that have ended are kept, histories included. Of more, those that ended first are forgotten, on
   * disk as well, as the service does after 90 days: nobody can describe them, and their names are free.
   *
   * @default 25,000
   */
  readonly keep?: number;
  /**
   * Executions that may run at the same time, Express ones included; a start beyond it is refused with
   * `ExecutionLimitExceeded`. The service has a quota of 1,000,000.
   *
   * @default 10,000
   */
  readonly maxRunningExecutions?: number;
  /**
   * Executions, by name or ARN, that an earlier process left running in `state`, and that are stopped instead of going
   * on.
   *
   * @default - all go on
   */
  readonly stop?: readonly string[];
  /**
   * Stands between the rules of EventBridge and their targets: to refuse a delivery, to lose its answer, or
   * to make it twice.
   */
  readonly deliveryInterceptor?: DeliveryInterceptor;
  /** Receives what Lambda functions write. @default - dropped */
  readonly log?: (functionName: string, text: string) => void;
  /**
   * A DynamoDB that somebody else runs, such as DynamoDB Local: the tables of the assembly are made there, those that
   * are there already stay as they are, and `state` keeps none of their items. Requests are signed with the
   * credentials of the environment, where there are any.
   *
   * @default - one of the stack's own, in memory and, with `state`, on disk
   */
  readonly dynamodb?: { readonly endpoint: string };
}

/** A stack that runs in this process. */
export interface LocalStack {
  /** What the assembly deploys: machines, tables, rules, outputs, and what has no local counterpart. */
  readonly assembly: Assembly;
  readonly runtime: Runtime;
  readonly eventBuses: EventBuses;
  readonly functions: LambdaFunctions;
  /** The queues of SQS, to send to, to receive from, and to look into. */
  readonly queues: Queues;
  /** The rules that fire by themselves. On a virtual clock they fire when `advanceBy` moves it. */
  readonly schedules: Schedules;
  /** The tables, through a client of the SDK. Others reach them at `endpoint`. */
  readonly dynamoDb: { readonly client: DynamoDBClient };
  /** What the state machines of the stack have logged: nothing of it is written to `state`. */
  readonly logs: {
    /** The events of a log group, by its name or ARN, oldest first; empty where nothing was logged there. */
    events(logGroup: string): readonly LogEvent[];
  };
  /**
   * What Step Functions has told CloudWatch of executions, and what state machines have put there themselves, oldest
   * first: nothing of it is written to `state`.
   */
  readonly metrics: { readonly data: readonly MetricDatum[] };
  /** Where AWS clients reach the stack, or undefined without a port. Functions reach it in any case. */
  readonly endpoint: string | undefined;
  /** The one region and account that everything is in. */
  readonly region: string;
  readonly account: string;
  /**
   * Resources of the assembly that are not run, in the order of the templates, machines last: a call of one is
   * refused with its reason, or finds no service that answers.
   */
  readonly notRun: readonly NotRunResource[];
  /** How many executions of `state` were under way when the last process ended, and go on. */
  readonly resumed: number;
  /** The value of a stack output, by its name. @throws LocalError where the assembly has none of this name */
  output(name: string): string;
  /** Stops everything; the process can end afterwards. */
  close(): Promise<void>;
}

/**
 * Starts what a cloud assembly deploys: its tables on an embedded DynamoDB, its bundled functions, its queues with the
 * functions that take from them, its event buses with their rules and schedules, and its state machines on the local
 * engine.
 *
 * @throws LocalError with every problem, where the assembly cannot be read, uses what the local runtime does not know,
 * or the port or the directory for the state is taken
 */
export async function startLocal(options: LocalOptions): Promise<LocalStack> {
  const assembly = readAssembly(options.assembly);
  if (options.port !== undefined) await requirePort(options.port);
  const opened = new AsyncDisposableStack();
  try {
    return await start(assembly, options, opened);
  } catch (error) {
    await opened.disposeAsync();
    if (error instanceof DamagedState) throw damagedDirectory(options.state ?? '', error.problems);
    throw error;
  }
}

async function start(
  assembly: Assembly,
  options: LocalOptions,
  opened: AsyncDisposableStack,
): Promise<LocalStack> {
  const environment = environmentOf(assembly);
  const { keep = KEEP_DEFAULT } = options;
  const directory = options.state === undefined ? undefined : await openState(options.state, keep);
  if (directory) opened.defer(() => directory.close());
  const real = new RealClock();
  const clock = options.clock ?? opened.adopt(real, made => made.close());
  const ids = options.seed === undefined ? randomIds() : seededIds(options.seed);
  const registry = new ServiceRegistry();
  const context: ServiceContext = {
    environment,
    resources: assembly.resources,
    clock,
    ids,
    newRequestId: ids.fork('requests').uuid,
    activity: options.activity ?? new Activity(),
    interceptors: {
      ...(options.interceptor && { integrations: options.interceptor }),
      ...(options.deliveryInterceptor && { deliveries: options.deliveryInterceptor }),
    },
    log: options.log ?? (() => undefined),
    directory,
    executions: {
      keep,
      stop: options.stop ?? [],
      ...(options.maxRunningExecutions !== undefined && { maxRunning: options.maxRunningExecutions }),
    },
    ...(options.dynamodb && { dynamoDbEndpoint: options.dynamodb.endpoint }),
    services: registry,
  };

  const services = await openServices(context, service => {
    opened.defer(() => service.close());
    registry.add(service);
  });
  await registry.restore();
  real.startFrom(lastTimeIn(services.sqs.queues, directory));
  // Functions need an endpoint even where the caller has not asked for one.
  if (options.port !== undefined || assembly.functions.length > 0) {
    const { routes, aroundWaiting } = registry;
    const api = await startEndpoint(routes, {
      port: options.port ?? 0,
      newRequestId: ids.fork('api').uuid,
      aroundWaiting,
    });
    opened.defer(() => api.close());
    registry.endpoint = api.endpoint;
  }
  announceStatusChanges(services, { ...environment, clock, newId: ids.fork('status-changes').uuid });
  registry.start();

  return {
    ...environment,
    assembly,
    runtime: services.states.runtime,
    eventBuses: services.events.eventBuses,
    functions: services.lambda.functions,
    queues: services.sqs.queues,
    schedules: services.events.schedules,
    dynamoDb: services.dynamoDb,
    logs: services.states.executionLog,
    metrics: metricsOf(services),
    endpoint: options.port === undefined ? undefined : registry.endpoint,
    notRun: [...assembly.notRun, ...services.states.notRun],
    resumed: services.states.resumed,
    output: name => outputOf(assembly, name),
    close: () => opened.disposeAsync(),
  };
}

function metricsOf({ states, cloudWatch }: OpenServices): LocalStack['metrics'] {
  return {
    get data() {
      const all = [...states.executionMetrics.data, ...cloudWatch.data];
      return all.sort((a, b) => a.timestamp - b.timestamp);
    },
  };
}

/** Sends the status changes of Standard executions to the default bus, where there are rules that could match them. */
function announceStatusChanges(
  { states, events }: OpenServices,
  { clock, newId, ...environment }: Environment & { readonly clock: Clock; readonly newId: () => string },
): void {
  const { eventBuses } = events;
  if (!eventBuses.hasRules()) return;
  states.runtime.subscribe(({ execution }) => {
    const event = statusChangeEvent(execution, { ...environment, id: newId(), now: clock.now() });
    // What comes of the deliveries is theirs: they never reject, and repeat themselves.
    void eventBuses.publish(event);
  });
}

/**
 * The last time, in epoch milliseconds, at which something happened that an earlier process has left: with a clock that
 * was set back since, its timers would have to wait for that to come again.
 */
function lastTimeIn(queues: Queues, directory: StateDirectory | undefined): number {
  const running = directory?.store.running() ?? [];
  const messages = queues.list().flatMap(({ name }) => queues.peek(name) ?? []);
  const times = [
    ...running.map(({ execution }) => execution.lastAdvancedAt),
    ...messages.map(({ sentAt, firstReceivedAt = sentAt }) => firstReceivedAt),
  ];
  return times.reduce((last, time) => Math.max(last, time), 0);
}

/** @throws LocalError `StateUnavailable` */
async function openState(root: string, keep: number): Promise<StateDirectory> {
  const opened = await openStateDirectory(root, keep);
  if (opened.kind === 'refused') throw new LocalError('StateUnavailable', [opened.reason]);
  return opened.directory;
}
