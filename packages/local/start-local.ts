import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { ApiBackend } from './api/routes';
import type { Assembly } from './load-assembly';
import { environmentOf, outputOf, readAssembly } from './load-assembly';
import { LocalError } from './local-error';
import { deployMachines, openCatalogue } from './open-catalogue';
import { openQueueSources } from './open-queue-sources';
import { openServices, type Services } from './open-services';
import { openState } from './open-state';
import { Opened } from './opened';
import { Activity } from './runtime/activity';
import type { Catalogue } from './runtime/catalogue/catalogue';
import type { Clock } from './runtime/clock';
import { type Ids, randomIds, seededIds } from './runtime/ids';
import type { Machines } from './runtime/machines';
import { Runtime } from './runtime/runtime';
import type { Interceptor } from './runtime/service';
import type { EventBuses } from './services/events/buses';
import type { LambdaFunctions } from './services/lambda/functions';
import type { DeliveryInterceptor } from './services/rule-delivery';
import { Schedules } from './services/schedules';
import type { Queues } from './services/sqs/queues';
import { requirePort, startEndpoint } from './start-endpoint';

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
  /** Stands between the state machines and the services: the place to inject faults. */
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
   * Directory that keeps executions, histories, tables, queues, state machines and activities over restarts and
   * crashes.
   *
   * What was running goes on. It is for one process at a time, and not to be combined with `seed`, from which a second
   * run would draw the names of the first again.
   *
   * @default - memory
   */
  readonly state?: string;
  /**
   * Stands between the rules of EventBridge and their targets: the place to refuse a delivery, to lose its answer, or
   * to make it twice.
   */
  readonly deliveryInterceptor?: DeliveryInterceptor;
  /** Receives what Lambda functions write. @default - dropped */
  readonly log?: (functionName: string, text: string) => void;
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
  readonly dynamoDb: { readonly endpoint: string; readonly client: DynamoDBClient };
  /** Where AWS clients reach the stack, or undefined without a port. Functions reach it in any case. */
  readonly endpoint: string | undefined;
  /** The one region and account that everything is in. */
  readonly region: string;
  readonly account: string;
  /** The value of a stack output, by its name. @throws LocalError where the assembly has none of this name */
  output(name: string): string;
  /** Stops everything; nothing keeps the process alive afterwards. */
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
  const opened = new Opened();
  try {
    return await open(options, assembly, opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function open(options: LocalOptions, assembly: Assembly, opened: Opened): Promise<LocalStack> {
  const place = environmentOf(assembly);
  const ids = options.seed === undefined ? randomIds() : seededIds(options.seed);
  const directory = options.state === undefined ? undefined : await openState(options.state);
  if (directory) opened.add(() => directory.close());
  const clock = options.clock ?? opened.clock();
  const activity = options.activity ?? new Activity();

  // The state machines call services, and some of these call the state machines: the runtime comes last.
  const later: { states?: { readonly runtime: Runtime; readonly machines: Machines } } = {};
  const states = () => {
    if (!later.states) throw new Error('a service was called before the stack had started');
    return later.states;
  };
  const services = await openServices({
    options,
    place,
    assembly,
    ids,
    clock,
    activity,
    directory,
    states,
    opened,
  });
  const catalogue = await openCatalogue({
    ...place,
    services: services.table,
    clock,
    ids: ids.fork('catalogue'),
    directory,
  });
  const { machines } = catalogue;
  const runtime = new Runtime({
    clock,
    services: services.table,
    machines,
    ids: ids.fork('executions'),
    ...(directory && { store: directory.store }),
    ...(options.interceptor && { interceptor: options.interceptor }),
    activity,
  });
  opened.add(() => runtime.close());
  later.states = { runtime, machines };
  deployMachines(catalogue, assembly);
  requireRules(services.eventBuses);
  const { eventBuses, functions, queues, dynamoDb, invocations } = services;
  const endpoint = await openEndpoint({ options, assembly, ids, runtime, catalogue, services, opened });
  const sources = openQueueSources({ assembly, place, clock, activity, queues, functions, invocations });
  opened.add(() => sources.close());
  const schedules = new Schedules({ eventBuses, clock, activity });
  opened.add(() => schedules.close());
  runtime.resume();
  return {
    ...place,
    assembly,
    runtime,
    eventBuses,
    functions,
    queues,
    schedules,
    dynamoDb,
    endpoint: options.port === undefined ? undefined : endpoint,
    output: name => outputOf(assembly, name),
    close: () => opened.close(),
  };
}

interface EndpointSurroundings {
  readonly options: LocalOptions;
  readonly assembly: Assembly;
  readonly ids: Ids;
  readonly runtime: Runtime;
  readonly catalogue: Catalogue;
  readonly services: Services;
  readonly opened: Opened;
}

/** Opens the stack's endpoint, and tells the services. Functions need one even where nobody else has asked for it. */
async function openEndpoint(surroundings: EndpointSurroundings): Promise<string | undefined> {
  const { options, assembly, ids, runtime, catalogue, services, opened } = surroundings;
  const { port } = options;
  if (port === undefined && assembly.functions.length === 0) return undefined;
  const { eventBuses, functions, queues, dynamoDb, invocations } = services;
  const wait: ApiBackend['wait'] = (header, answer) => invocations.wait(header, answer);
  const api = await startEndpoint(
    { runtime, catalogue, eventBuses, functions, queues, dynamoDbEndpoint: dynamoDb.endpoint, wait },
    { port: port ?? 0, newRequestId: ids.fork('api').uuid, report },
  );
  opened.add(() => api.close());
  services.announce(api.endpoint);
  return api.endpoint;
}

function report(problem: Error): void {
  process.emitWarning(problem.message);
}

function requireRules(eventBuses: EventBuses): void {
  if (eventBuses.problems.length === 0) return;
  throw new LocalError(
    'InvalidRule',
    eventBuses.problems.map(({ rule, message }) => `${rule}: ${message}`),
  );
}
