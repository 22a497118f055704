import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { findResource } from './assembly/find-resource';
import type { NotRunResource } from './assembly/not-run';
import type { NamedResource } from './assembly/read-resources';
import { AsyncDisposableStack } from './async-disposable-stack';
import type { HistoryFileEvent } from './history/index';
import { type Assembly, environmentOf, outputOf, outputsOf, readAssembly } from './load-assembly';
import { damagedDirectory, LocalError } from './local-error';
import { LOCAL_OPTIONS, type LocalOptions } from './local-options';
import { localRoute, type StackItself } from './local-route';
import { openContext } from './open-context';
import { problemWithNames } from './option-names';
import type { Runtime } from './runtime/runtime';
import type { Clock } from './runtime/time/clock';
import { RealClock } from './runtime/time/real-clock';
import { type OpenServices, openServices } from './services';
import type { RequestCounts } from './services/api-gateway/server';
import type { ServedStage } from './services/api-gateway/service';
import type { EventBuses } from './services/events/buses';
import type { CustomPutEventsResponse } from './services/events/custom/buses';
import type { CustomPutEventsRequest } from './services/events/custom/request';
import type { Schedules } from './services/events/schedules';
import type { LambdaFunctions } from './services/lambda/functions';
import type { Environment, MetricDatum } from './services/local-service';
import { ServiceRegistry } from './services/service-registry';
import type { Topics } from './services/sns/topics';
import type { Queues } from './services/sqs/queues';
import type { LogEvent } from './services/states/execution-log';
import { statusChangeEvent } from './services/states/status-change-event';
import { lastTimeIn, timeOf } from './stack-time';
import { stacksRoute } from './stacks-route';
import { requirePort, startEndpoint } from './start-endpoint';
import { DamagedState } from './state/damage';

/**
 * A resource of the stack, by what it is called here.
 *
 * @example
 * const { url } = stack.find('Shop/Failures');
 */
export interface LocalResource extends NamedResource {
  /** Of a queue, and of the first stage of a REST API: where it answers. */
  readonly url?: string;
}

/**
 * A stack that runs in this process.
 *
 * @example
 * const stack: LocalStack = await startLocal({ assembly: 'cdk.out' });
 * console.log(stack.endpoint);
 * await stack.close();
 */
export interface LocalStack {
  /** What the assembly deploys: machines, tables, rules, outputs, and what has no local counterpart. */
  readonly assembly: Assembly;
  readonly runtime: Runtime;
  readonly eventBuses: EventBuses;
  /**
   * Publishes events on a custom event bus, `AWS::EventsV2::EventBus`, and resolves when they are accepted.
   *
   * @throws Error `InvalidInputException` or `ResourceNotFoundException`, as the service
   */
  putEvents(request: CustomPutEventsRequest): Promise<CustomPutEventsResponse>;
  readonly functions: LambdaFunctions;
  /** The queues of SQS, to send to, to receive from, and to look into. */
  readonly queues: Queues;
  /** The topics of SNS, to publish to. */
  readonly topics: Topics;
  /** The rules that fire by themselves. On a virtual clock they fire when `advanceBy` moves it. */
  readonly schedules: Schedules;
  /** The tables, through a client of the SDK. Others reach them at `endpoint`. */
  readonly dynamoDb: { readonly client: DynamoDBClient };
  /** What the state machines of the stack have logged: nothing of it is written to `state`. */
  readonly logs: {
    /** The events of a log group, by its name or ARN, oldest first; empty where nothing was logged there. */
    events(logGroup: string): readonly LogEvent[];
    /** The log of an execution, such as an Express one, which has no stored history. */
    history(executionArn: string): readonly HistoryFileEvent[];
  };
  /**
   * What Step Functions has told CloudWatch of executions, and what state machines have put there themselves, oldest
   * first: nothing of it is written to `state`.
   */
  readonly metrics: { readonly data: readonly MetricDatum[] };
  /** Where AWS clients and the functions of the stack reach it: on 127.0.0.1. */
  readonly endpoint: string;
  /**
   * The URLs of the REST APIs of the assembly: one for each stage, in the order of the templates. On a virtual clock
   * the answers come when it is moved.
   */
  readonly restApis: readonly ServedStage[];
  /**
   * How many requests the REST APIs have been sent so far, and how many of these are answered. Who moves a virtual
   * clock waits until those that it has sent are among them.
   */
  readonly httpRequests: RequestCounts;
  /** The one region and account that everything is in. */
  readonly region: string;
  readonly account: string;
  /**
   * Resources of the assembly that are not run, in the order of the templates, machines last: a call of one is
   * rejected with its reason, or finds no service that answers.
   */
  readonly notRun: readonly NotRunResource[];
  /** How many executions of `state` were running when the last process ended, and go on. */
  readonly resumed: number;
  /** The time of the stack, in epoch milliseconds. */
  now(): number;
  /**
   * Lets time pass at once on the machine's clock, as a machine does that has slept: waits, timeouts and schedules that
   * are due by then are over. Functions go by the machine's own time. In milliseconds.
   *
   * @throws LocalError `InvalidRequest` if the stack has a clock of the caller's, who moves that; if the number is not
   * above 0; or if the time would be after the year 9999
   */
  skipTime(ms: number): void;
  /**
   * The resource of a construct, by the path of the construct: `Shop/Orders`, or `Orders` where that is enough. With a
   * type of CloudFormation (`AWS::SQS::Queue`), the one of that type within a construct that is made of several.
   *
   * @throws LocalError `InvalidRequest` where there is none, or more than one, with the paths that are near
   */
  find(constructPath: string, type?: string): LocalResource;
  /** The values of all stack outputs, by stack and name, as `cdk deploy --outputs-file` writes them. */
  readonly outputs: ReturnType<typeof outputsOf>;
  /** The value of a stack output, by its name. @throws LocalError where the assembly has none of this name */
  output(name: string): string;
  /** Stops everything; the process can end afterwards. */
  close(): Promise<void>;
}

/**
 * Starts what a cloud assembly deploys. These are tables on an embedded DynamoDB, bundled functions, queues
 * with their functions, event buses with rules and schedules, and state machines on the local engine.
 *
 * @throws LocalError with every problem. The assembly cannot be read or uses a feature that the local runtime does not
 * know. The port, or the directory for the state, is in use. The port is invalid, or an option is unknown
 *
 * @example
 * const stack = await startLocal({ assembly: 'cdk.out' });
 */
export async function startLocal(options: LocalOptions): Promise<LocalStack> {
  const problem = problemWithNames('`startLocal`', options, LOCAL_OPTIONS);
  if (problem !== undefined) throw new LocalError('InvalidRequest', [problem]);
  const { parameters = {}, functions = {} } = options;
  const assembly = readAssembly(options.assembly, { parameters, functions });
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
  const real = new RealClock();
  const registry = new ServiceRegistry();
  const context = await openContext(assembly, options, { real, registry, opened });
  const { clock, ids, directory } = context;
  for (const { service, message } of assembly.imported) context.log(service, message);
  const services = await openServices(context, service => {
    opened.defer(() => service.close());
    registry.add(service);
  });
  await registry.restore();
  real.startFrom(lastTimeIn(services.sqs.queues, directory));
  // The endpoint always starts: a client without an endpoint would send its requests to AWS.
  const routes = [
    ...registry.routes,
    stacksRoute(stackDescriptions(assembly, environment, { registry, clock })),
    localRoute({ assembly, ...partsOf(services) }),
  ];
  const { endpoint, close } = await startEndpoint(routes, {
    port: options.port ?? 0,
    // A caller that did not ask for the endpoint, and has nothing that needs it, might not close the stack.
    isBackground: options.port === undefined && assembly.functions.length === 0,
    newRequestId: ids.fork('api').uuid,
    now: () => clock.now(),
    wrapBlockingRequest: registry.wrapBlockingRequest,
  });
  opened.defer(close);
  registry.endpoint = endpoint;
  announceStatusChanges(services, { ...environment, clock, newId: ids.fork('status-changes').uuid });
  registry.start();

  return {
    ...environment,
    assembly,
    ...partsOf(services),
    functions: services.lambda.functions,
    schedules: services.events.schedules,
    dynamoDb: services.dynamoDb,
    logs: services.states.executionLog,
    metrics: metricsOf(services),
    endpoint,
    httpRequests: services.apiGateway.requests,
    notRun: [...assembly.notRun, ...services.states.notRun],
    resumed: services.states.resumed,
    ...timeOf(clock, real),
    find: (constructPath, type) => found(assembly, services, { constructPath, type }),
    ...localOutputs(assembly, registry),
    close: () => opened.disposeAsync(),
  };
}

function partsOf({ states, events, sqs, sns, apiGateway }: OpenServices): Omit<StackItself, 'assembly'> {
  return {
    runtime: states.runtime,
    eventBuses: events.eventBuses,
    putEvents: request => events.customBuses.putEvents(request),
    queues: sqs.queues,
    topics: sns.topics,
    restApis: apiGateway.stages,
  };
}

/** The stacks that the endpoint describes. Outputs lead to this stack once the services have started. */
function stackDescriptions(
  assembly: Assembly,
  environment: Environment,
  { registry, clock }: { readonly registry: ServiceRegistry; readonly clock: Clock },
) {
  const stacks = [...assembly.namedResources, ...assembly.stateMachines, ...assembly.outputs];
  return {
    ...environment,
    startedAt: clock.now(),
    names: [...new Set(stacks.map(({ stack }) => stack))],
    get outputs() {
      return localOutputs(assembly, registry).outputs;
    },
  };
}

/** The stack outputs, in which URLs of services on AWS lead to this stack. */
function localOutputs(assembly: Assembly, registry: ServiceRegistry): Pick<LocalStack, 'outputs' | 'output'> {
  const outputs: LocalStack['outputs'] = JSON.parse(
    registry.withLocalUrls(JSON.stringify(outputsOf(assembly))),
  );
  return { outputs, output: name => registry.withLocalUrls(outputOf(assembly, name)) };
}

/** @throws LocalError `InvalidRequest` */
function found(
  { namedResources }: Assembly,
  { sqs, apiGateway }: OpenServices,
  asked: { readonly constructPath: string; readonly type: string | undefined },
): LocalResource {
  const search = findResource(namedResources, asked.constructPath, asked.type);
  if (search.kind === 'problem') throw new LocalError('InvalidRequest', [search.message]);
  const { resource } = search;
  const queue = resource.type === 'AWS::SQS::Queue' ? sqs.queues.find(resource.name) : undefined;
  const stage = apiGateway.stages.find(({ id }) => id === resource.ref);
  const url = queue?.url ?? stage?.url;
  return { ...resource, ...(url !== undefined && { url }) };
}

function metricsOf({ states, cloudWatch }: OpenServices): LocalStack['metrics'] {
  return {
    get data() {
      const all = [...states.executionMetrics.data, ...cloudWatch.data];
      return all.sort((a, b) => a.timestamp - b.timestamp);
    },
  };
}

/** Sends the status changes of Standard executions to the default bus, if there are rules that could match them. */
function announceStatusChanges(
  { states, events }: OpenServices,
  { clock, newId, ...environment }: Environment & { readonly clock: Clock; readonly newId: () => string },
): void {
  const { eventBuses } = events;
  if (!eventBuses.hasRules()) return;
  states.runtime.subscribe(({ execution }) => {
    const event = statusChangeEvent(execution, { ...environment, id: newId(), now: clock.now() });
    // The schedules ignore the outcome of the deliveries: they never reject, and repeat themselves.
    void eventBuses.publish(event);
  });
}
