import type { ServiceRoute, WrapBlockingRequest } from '../api/exchange';
import type { DeployedResources } from '../assembly/read-resources';
import type { ResourceTypes } from '../assembly/types';
import type { Interceptor, MockedActivity, ServiceTable } from '../runtime/calls/service';
import type { Evaluator, MappingEvaluator } from '../runtime/evaluation/evaluator';
import type { Ids } from '../runtime/ids';
import type { Clock } from '../runtime/time/clock';
import type { WorkTracker } from '../runtime/time/work-tracker';
import type { StateDirectory } from '../state/directory';
import type { MessageQueues } from './message-queues';
import type { RuleTarget } from './rule-target';

/** An AWS service: what templates deploy of it, and how it is opened for a stack. */
export interface ServiceDefinition<Opened extends LocalService = LocalService> {
  readonly resourceTypes: ResourceTypes;
  /** Opens the service with the resources of the templates. @throws LocalError for a resource that cannot run */
  open(context: ServiceContext): Opened | Promise<Opened>;
}

/** A service that is open. Its ARNs name it as its requests are signed, e.g. `arn:aws:sqs:…`. */
export interface LocalService {
  /** The integrations of state machines, by resource. */
  readonly integrations: ServiceTable;
  /** The requests that AWS clients make. @default - only state machines reach it */
  readonly route?: ServiceRoute;
  /** The name of the service for SDKs in `AWS_ENDPOINT_URL_<name>`, if it has a route. */
  readonly sdkName?: string;
  /** Further protocols of the service, each with its name for SDKs. @default - none */
  readonly further?: readonly { readonly route: ServiceRoute; readonly sdkName: string }[];
  /** Where functions reach the service. @default - at the stack's endpoint */
  readonly endpoint?: string;
  /** Takes the events of rules. @default - no target of rules */
  readonly target?: RuleTarget;
  /** Queues that other services send to and take from. @default - none */
  readonly queues?: MessageQueues;
  /** Wraps requests that block. @default - the request is just answered */
  readonly wrapBlockingRequest?: WrapBlockingRequest;
  /** A text in which URLs of the service on AWS lead to this stack. @default - it stays as it is */
  withLocalUrls?(text: string): string;
  /**
   * Loads the files of an earlier process in the stack's directory, if there are any. All services are open then.
   *
   * @throws DamagedState for content that no service has written
   */
  restore?(): Promise<void>;
  /**
   * Begins the work that needs no request. All services are open then, what was written is restored, and the stack's
   * endpoint, if there is one, answers.
   *
   * @throws LocalError for a resource that cannot run
   */
  start?(): void;
  close(): void | Promise<void>;
}

/**
 * A value that CloudWatch has been sent.
 *
 * @example
 * const started = stack.metrics.data.filter(({ metricName }) => metricName === 'ExecutionsStarted');
 */
export interface MetricDatum {
  readonly namespace: string;
  readonly metricName: string;
  readonly dimensions: Readonly<Record<string, string>>;
  /** Epoch milliseconds. */
  readonly timestamp: number;
  readonly value: number;
}

/** The region and the account that everything of a stack is in. */
export interface Environment {
  readonly region: string;
  readonly account: string;
}

export interface ServiceContext {
  readonly environment: Environment;
  readonly resources: DeployedResources;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Ids of the requests that state machines make. */
  readonly newRequestId: () => string;
  readonly work: WorkTracker;
  /** Evaluates what would hold up everybody else. */
  readonly evaluator: Evaluator & MappingEvaluator;
  readonly interceptors: Interceptors;
  /** Receives what functions write. */
  readonly log: (functionName: string, text: string) => void;
  /** Receives the end of each invocation of a function. @default - no listener */
  readonly invoked?: (invocation: FunctionInvocation) => void;
  /** Where the stack's state is. @default - memory */
  readonly directory: StateDirectory | undefined;
  readonly executions: ExecutionOptions;
  readonly http: HttpOptions;
  /** What a state machine gets of a custom event bus that delivers one event at a time. */
  readonly batchOfOne: 'event' | 'list';
  /** The address of an external DynamoDB. @default - the stack has one of its own */
  readonly dynamoDbEndpoint?: string;
  /** The services of the stack, this one included. Those further down in the table are there at `start`. */
  readonly services: ServiceDirectory;
}

/**
 * How an invocation of a function went. Times are epoch milliseconds of the machine's clock.
 *
 * @example
 * const took = ({ begunAt, endedAt }: FunctionInvocation) => endedAt - begunAt;
 */
export interface FunctionInvocation {
  readonly functionName: string;
  readonly requestId: string;
  readonly begunAt: number;
  readonly endedAt: number;
  /** The type of the function's error, or the code of Lambda's; undefined where it succeeded. */
  readonly error: string | undefined;
}

/** Bounds of executions, and what becomes of those that were left running. */
export interface ExecutionOptions {
  /** How many that have ended are kept. */
  readonly keep: number;
  /** How many may run at the same time. @default - the runtime's own bound */
  readonly maxRunning?: number;
  /** Those that are stopped at the start, by name or ARN. */
  readonly stop: readonly string[];
}

/** What stands between the parts of a stack, to inject faults. */
export interface Interceptors {
  readonly integrations?: Interceptor;
  readonly deliveries?: DeliveryInterceptor;
  /** What a request to start an execution means. @throws StatesError @default - what it says */
  readonly begin?: (request: StartOfExecution) => StartOfExecution;
  /** @default - workers have all tasks of activities */
  readonly mockedActivity?: MockedActivity;
}

/** A request to start an execution, as Step Functions gets it. */
export interface StartOfExecution {
  readonly stateMachineArn: string;
  readonly name?: string;
  readonly input?: string;
}

/**
 * One attempt to hand an event to the target of a rule.
 *
 * @example
 * const isFirst = ({ retryCount }: DeliveryAttempt) => retryCount === 0;
 */
export interface DeliveryAttempt {
  readonly ruleArn: string;
  readonly targetArn: string;
  /** What the target gets: JSON, or a transformer's plain text. */
  readonly input: string;
  /** 0 for the first attempt. */
  readonly retryCount: number;
}

/**
 * Stands between the rules and their targets: sees each attempt, and may reject it by an error, lose its answer, or
 * make it twice. An error counts as a rejection that may pass.
 *
 * @example
 * const lost: DeliveryInterceptor = async (attempt, next) => {
 *   if (attempt.retryCount === 0) throw new Error('lost');
 *   return await next();
 * };
 */
export type DeliveryInterceptor = (
  attempt: DeliveryAttempt,
  next: () => Promise<unknown>,
) => Promise<unknown>;

/** How REST APIs are served. */
export interface HttpOptions {
  /** The loopback port of the first; the others have those that follow. Any that are free where it is 0. */
  readonly port: number;
  /** Whom callers are taken for where AWS would ask a signature or a token. */
  readonly principal: HttpPrincipal;
}

/**
 * Whom a caller of a REST API is taken for, by name or ARN: one and the same, or by what the request says of itself.
 * Undefined: it has no caller, and is rejected.
 *
 * @example
 * await startLocal({ assembly: 'cdk.out', httpPrincipal: ({ headers }) => headers.get('x-user') ?? undefined });
 */
export type HttpPrincipal =
  | string
  | ((request: {
      readonly method: string;
      /** Without the stage. */
      readonly path: string;
      readonly headers: Headers;
    }) => string | undefined);

/** How a service reaches the others. */
export interface ServiceDirectory {
  /** The integrations of all services that are open. */
  readonly integrations: ServiceTable;
  /** Where AWS clients reach the stack; undefined before it has an endpoint. */
  readonly endpoint: string | undefined;
  /** The service that a resource's ARN names. */
  ownerOf(arn: string): LocalService | undefined;
  /** The environment variables by which SDKs find the services here instead of on AWS. */
  endpointVariables(): Readonly<Record<string, string>>;
  /** A text in which the URLs of services on AWS lead to this stack. */
  withLocalUrls(text: string): string;
}
