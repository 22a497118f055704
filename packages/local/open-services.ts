import type { Assembly } from './load-assembly';
import { readState } from './open-state';
import type { Opened } from './opened';
import type { Activity } from './runtime/activity';
import type { Clock } from './runtime/clock';
import type { Ids } from './runtime/ids';
import { startEmbeddedDynamoDb } from './services/dynamodb/embedded';
import { createEventBuses, type EventBuses } from './services/events/buses';
import { Invocations } from './services/invocations';
import { createLambdaFunctions, type LambdaFunctions } from './services/lambda/functions';
import { type OwnStates, ownStates } from './services/own-states';
import { RuleDeliveries } from './services/rule-delivery';
import { startTarget } from './services/rule-targets';
import { type KeptQueue, Queues } from './services/sqs/queues';
import { serviceTable } from './services/table';
import type { LocalOptions } from './start-local';
import type { StateDirectory } from './state/directory';

/** What services are opened in. */
export interface Surroundings {
  readonly options: Pick<LocalOptions, 'log' | 'deliveryInterceptor'>;
  readonly place: { readonly region: string; readonly account: string };
  readonly assembly: Assembly;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly activity: Activity;
  readonly directory: StateDirectory | undefined;
  /** Asked at each call: the state machines come after the services. */
  readonly states: () => OwnStates;
  readonly opened: Opened;
}

/** The services of a stack. */
export type Services = Awaited<ReturnType<typeof openServices>>;

/** What functions find at the stack's endpoint, as SDKs name services in the environment. */
const LOCAL_SERVICES = ['SFN', 'EVENTBRIDGE', 'LAMBDA', 'SQS'];

/** The services of a stack. `announce` tells them where the stack's endpoint is, once there is one. */
export async function openServices(surroundings: Surroundings) {
  const { options, place, assembly, ids, clock, activity, directory, states, opened } = surroundings;
  const dynamoDb = await startEmbeddedDynamoDb(
    assembly.tables.map(table => table.createTable),
    { ...place, ...(directory && { path: directory.dynamoDbPath }) },
  );
  opened.add(() => dynamoDb.close());
  const at: { endpoint?: string } = {};
  const queues = await openQueues(surroundings, at);
  const extraEnvironment: Record<string, string> = {
    AWS_REGION: place.region,
    AWS_ENDPOINT_URL_DYNAMODB: dynamoDb.endpoint,
    // The SDK's notice about coming versions of Node is about the developer's machine, not the function's runtime.
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  };
  const functions = createLambdaFunctions({
    functions: assembly.functions.map(spec => ({
      ...spec,
      get environment() {
        return withLocalQueues(spec.environment, queues);
      },
    })),
    extraEnvironment,
    log: ({ functionName, text }) => options.log?.(functionName, text),
  });
  opened.add(() => functions.close());
  const eventBuses = openEventBuses(surroundings, { queues, functions });
  const table = serviceTable({
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
    at.endpoint = endpoint;
    for (const service of LOCAL_SERVICES) extraEnvironment[`AWS_ENDPOINT_URL_${service}`] = endpoint;
  };
  const invocations = new Invocations(functions, activity, ids.fork('invocations').uuid);
  return {
    dynamoDb,
    functions,
    invocations,
    eventBuses,
    queues,
    table,
    announce,
  };
}

/** Event buses whose deliveries reach the targets that a stack has. */
function openEventBuses(
  { options, place, assembly, ids, clock, activity, states }: Surroundings,
  { queues, functions }: { readonly queues: Queues; readonly functions: LambdaFunctions },
): EventBuses {
  const targets = { runtime: () => states().runtime, queues, functions, activity };
  const deliveries = new RuleDeliveries({
    start: (targetArn, input) => startTarget(targetArn, input, targets),
    queues,
    clock,
    activity,
    random: ids.fork('deliveries').random,
    ...(options.deliveryInterceptor && { interceptor: options.deliveryInterceptor }),
  });
  return createEventBuses({
    ...place,
    buses: assembly.eventBuses.map(bus => bus.name),
    rules: assembly.rules,
    deliver: (target, input, event, rule) => deliveries.deliver(target, input, event, rule),
    onNoInput: (target, reason, event, rule) => deliveries.discard(target, reason, event, rule),
    clock,
    newId: ids.fork('events').uuid,
  });
}

/** The queues that were kept, and those of the assembly, with what the templates say of them. */
async function openQueues(
  { place, assembly, ids, clock, directory }: Surroundings,
  at: { readonly endpoint?: string },
): Promise<Queues> {
  const queues = new Queues({
    ...place,
    now: () => clock.now(),
    newId: ids.fork('queues').uuid,
    // Clients send to the host that a queue's URL names.
    get endpoint() {
      return at.endpoint;
    },
    changed: () => directory?.keepQueues(queues.content()),
  });
  const kept = directory && (await readState(directory, () => directory.queues()));
  queues.load((kept ?? []) as readonly KeptQueue[]);
  for (const { name, attributes } of assembly.queues) queues.create(name, attributes);
  return queues;
}

/** Variables in which the URLs of queues lead to this stack, because SDKs send to where the URL says. */
function withLocalQueues(
  variables: Readonly<Record<string, string>>,
  queues: Queues,
): Record<string, string> {
  const local = (text: string) =>
    text.replace(/https:\/\/sqs\.[^/\s]+\/\d{12}\/[\w-]+/g, url => queues.find(url)?.url ?? url);
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, local(value)]));
}
