import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Assembly } from './assembly/assembly';
import { LocalError } from './local-error';
import { deployMachines, openCatalogue } from './open-catalogue';
import { openState, readState } from './open-state';
import { outputOf, placeOf, readAssembly } from './read-assembly';
import type { Activity } from './runtime/activity';
import type { Clock } from './runtime/clock';
import { type Ids, randomIds, seededIds } from './runtime/ids';
import type { Machines } from './runtime/machines';
import { RealClock } from './runtime/real-clock';
import { Runtime } from './runtime/runtime';
import type { Interceptor, ServiceTable } from './runtime/service';
import { startEmbeddedDynamoDb } from './services/dynamodb/embedded';
import { createEventBuses, type EventBuses } from './services/events/buses';
import { createLambdaFunctions, type LambdaFunctions } from './services/lambda/functions';
import { ownStates } from './services/own-states';
import { type KeptQueue, Queues } from './services/sqs/queues';
import { serviceTable } from './services/table';
import { requirePort, startEndpoint } from './start-endpoint';
import type { StateDirectory } from './state/directory';

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
   * Directory that keeps executions, histories, tables, state machines and activities over restarts and crashes.
   *
   * What was running goes on. It is for one process at a time, and not to be combined with `seed`, from which a second
   * run would draw the names of the first again.
   *
   * @default - memory
   */
  readonly state?: string;
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
  readonly dynamoDb: { readonly endpoint: string; readonly client: DynamoDBClient };
  /** Where AWS clients reach the stack, or undefined without a port. */
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
 * Starts what a cloud assembly deploys: its tables on an embedded DynamoDB, its bundled functions, its event buses with
 * their rules, and its state machines on the local engine.
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
  const place = placeOf(assembly);
  const ids = options.seed === undefined ? randomIds() : seededIds(options.seed);
  const directory = options.state === undefined ? undefined : await openState(options.state);
  if (directory) opened.add(() => directory.close());
  const clock = options.clock ?? opened.clock();

  // The state machines call services, and some of these call the state machines: the runtime comes last.
  const later: { states?: { readonly runtime: Runtime; readonly machines: Machines } } = {};
  const states = () => {
    if (!later.states) throw new Error('a service was called before the stack had started');
    return later.states;
  };
  const services = await openServices({ options, assembly, ids, clock, directory, states, opened });
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
    ...(options.activity && { activity: options.activity }),
  });
  opened.add(() => runtime.close());
  later.states = { runtime, machines };
  deployMachines(catalogue, assembly);
  requireRules(services.eventBuses);
  const { eventBuses, functions, queues, dynamoDb } = services;
  let endpoint: string | undefined;
  if (options.port !== undefined) {
    const dynamoDbEndpoint = dynamoDb.endpoint;
    const backend = { runtime, catalogue, eventBuses, functions, queues, dynamoDbEndpoint };
    const api = await startEndpoint(backend, {
      port: options.port,
      newRequestId: ids.fork('api').uuid,
      report,
    });
    opened.add(() => api.close());
    endpoint = api.endpoint;
    services.announce(endpoint);
  }
  runtime.resume();
  return {
    ...place,
    assembly,
    runtime,
    eventBuses,
    functions,
    dynamoDb,
    endpoint,
    output: name => outputOf(assembly, name),
    close: () => opened.close(),
  };
}

interface Surroundings {
  readonly options: LocalOptions;
  readonly assembly: Assembly;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly directory: StateDirectory | undefined;
  readonly states: Parameters<typeof ownStates>[0];
  readonly opened: Opened;
}

async function openServices({ options, assembly, ids, clock, directory, states, opened }: Surroundings) {
  const place = placeOf(assembly);
  const dynamoDb = await startEmbeddedDynamoDb(
    assembly.tables.map(table => table.createTable),
    { ...place, ...(directory && { path: directory.dynamoDbPath }) },
  );
  opened.add(() => dynamoDb.close());
  const extraEnvironment: Record<string, string> = {
    AWS_REGION: place.region,
    AWS_ENDPOINT_URL_DYNAMODB: dynamoDb.endpoint,
    // The SDK's notice about coming versions of Node is about the developer's machine, not the function's runtime.
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  };
  const functions = createLambdaFunctions({
    functions: assembly.functions,
    extraEnvironment,
    log: ({ functionName, text }) => options.log?.(functionName, text),
  });
  opened.add(() => functions.close());
  const eventBuses = createEventBuses({
    ...place,
    buses: assembly.eventBuses.map(bus => bus.name),
    rules: assembly.rules,
    deliver: (target, input) => states().runtime.startExecution({ stateMachineArn: target.arn, input }),
    clock,
    newId: ids.fork('events').uuid,
  });
  // Queues are reached where the endpoint is, once there is one: clients send to the host that a queue's URL names.
  const queueHost: { endpoint?: string } = {};
  const queues = new Queues({
    ...place,
    now: () => clock.now(),
    newId: ids.fork('queues').uuid,
    get endpoint() {
      return queueHost.endpoint;
    },
    changed: () => directory?.keepQueues(queues.content()),
  });
  const kept = directory && (await readState(directory, () => directory.queues()));
  queues.load((kept ?? []) as readonly KeptQueue[]);
  const table: ServiceTable = serviceTable({
    dynamoDb: dynamoDb.client,
    functions,
    eventBuses,
    queues,
    stepFunctions: ownStates(states),
    newRequestId: ids.fork('requests').uuid,
    now: () => clock.now(),
  });
  // Functions are loaded at their first invocation, so that each of them learns of the endpoint.
  const announce = (endpoint: string) => {
    queueHost.endpoint = endpoint;
    for (const service of LOCAL_SERVICES) extraEnvironment[`AWS_ENDPOINT_URL_${service}`] = endpoint;
  };
  return { dynamoDb, functions, eventBuses, queues, table, announce };
}

/** What functions find at the stack's endpoint, as SDKs name services in the environment. */
const LOCAL_SERVICES = ['SFN', 'EVENTBRIDGE', 'LAMBDA', 'SQS'];

/** What was opened so far, to be closed in the opposite order. */
class Opened {
  readonly #closers: (() => void | Promise<void>)[] = [];

  add(close: () => void | Promise<void>): void {
    this.#closers.unshift(close);
  }

  /** A clock that stops with the stack: no timer keeps the process alive then. */
  clock(): RealClock {
    const clock = new RealClock();
    this.add(() => clock.close());
    return clock;
  }

  /** Closes everything once. */
  async close(): Promise<void> {
    for (const close of this.#closers.splice(0)) await close();
  }
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
