import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Assembly } from './assembly/assembly';
import { loadAssembly } from './assembly/load';
import { LocalError } from './local-error';
import type { Activity } from './runtime/activity';
import type { Clock } from './runtime/clock';
import { randomIds, seededIds } from './runtime/ids';
import { RealClock } from './runtime/real-clock';
import { Runtime } from './runtime/runtime';
import type { Interceptor } from './runtime/service';
import { startEmbeddedDynamoDb } from './services/dynamodb/embedded';
import { createEventBuses, type EventBuses } from './services/events/buses';
import { createLambdaFunctions, type LambdaFunctions } from './services/lambda/functions';
import { serviceTable } from './services/table';

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
  /** The value of a stack output, by its name. @throws LocalError where the assembly has none of this name */
  output(name: string): string;
  /** Stops everything; nothing keeps the process alive afterwards. */
  close(): Promise<void>;
}

/**
 * Starts what a cloud assembly deploys: its tables on an embedded DynamoDB, its bundled functions, its event buses with
 * their rules, and its state machines on the local engine.
 *
 * @throws LocalError with every problem, where the assembly cannot be read or uses what the local runtime does not know
 */
export async function startLocal(options: LocalOptions): Promise<LocalStack> {
  const assembly = read(options.assembly);
  const [region, account] = placeOf(assembly);
  const clock = options.clock ?? new RealClock();
  const ids = options.seed === undefined ? randomIds() : seededIds(options.seed);
  const newEventId = ids.fork('events').uuid;
  const newRequestId = ids.fork('requests').uuid;

  const dynamoDb = await startEmbeddedDynamoDb(
    assembly.tables.map(table => table.createTable),
    region,
  );
  const functions = createLambdaFunctions({
    functions: assembly.functions,
    extraEnvironment: { AWS_REGION: region, AWS_ENDPOINT_URL_DYNAMODB: dynamoDb.endpoint },
    log: ({ functionName, text }) => options.log?.(functionName, text),
  });
  // The state machines call services, and some of these call the state machines: the runtime comes last.
  const later: { runtime?: Runtime } = {};
  const running = (): Runtime => {
    if (!later.runtime) throw new Error('a service was called before the stack had started');
    return later.runtime;
  };
  const eventBuses = createEventBuses({
    buses: assembly.eventBuses.map(bus => bus.name),
    rules: assembly.rules,
    deliver: (target, input) => running().startExecution({ stateMachineArn: target.arn, input }),
    clock,
    newId: newEventId,
    region,
    account,
  });
  const services = serviceTable({
    dynamoDb: dynamoDb.client,
    functions,
    eventBuses,
    stepFunctions: { describeExecution: request => running().describeExecution(request) },
    newRequestId,
    now: () => clock.now(),
  });
  later.runtime = new Runtime({
    clock,
    services,
    ids: ids.fork('executions'),
    home: { region, account },
    ...(options.interceptor ? { interceptor: options.interceptor } : {}),
    ...(options.activity ? { activity: options.activity } : {}),
  });
  const stack = { assembly, runtime: later.runtime, eventBuses, functions, dynamoDb };
  const close = async () => {
    stack.runtime.close();
    await functions.close();
    await dynamoDb.close();
  };
  try {
    register(stack);
  } catch (error) {
    await close();
    throw error;
  }
  return { ...stack, output: name => outputOf(assembly, name), close };
}

function read(directory: string): Assembly {
  const loaded = loadAssembly(directory);
  if (loaded.kind === 'assembly') return loaded.assembly;
  throw new LocalError(
    'InvalidAssembly',
    loaded.problems.map(({ where, message }) => `${where}: ${message}`),
  );
}

// A local stack is one place, as one AWS account and region are: that of the first machine.
function placeOf(assembly: Assembly): [region: string, account: string] {
  const [, , , region = 'us-east-1', account = '111111111111'] =
    assembly.stateMachines[0]?.arn.split(':') ?? [];
  return [region, account];
}

function register({
  assembly,
  runtime,
  eventBuses,
}: Pick<LocalStack, 'assembly' | 'runtime' | 'eventBuses'>): void {
  const problems = assembly.stateMachines.flatMap(machine => {
    try {
      runtime.register(machine.definitionText, machine);
      return [];
    } catch (error) {
      return [
        `${machine.stack}/${machine.logicalId}: ${error instanceof Error ? error.message : String(error)}`,
      ];
    }
  });
  if (problems.length > 0) throw new LocalError('InvalidDefinition', problems);
  if (eventBuses.problems.length === 0) return;
  throw new LocalError(
    'InvalidRule',
    eventBuses.problems.map(({ rule, message }) => `${rule}: ${message}`),
  );
}

function outputOf(assembly: Assembly, name: string): string {
  const output = assembly.outputs.find(candidate => candidate.name === name);
  if (typeof output?.value === 'string') return output.value;
  const known = assembly.outputs.map(candidate => candidate.name).join(', ') || 'none';
  throw new LocalError('InvalidAssembly', [`no stack output ${name}; the stacks have: ${known}`]);
}
