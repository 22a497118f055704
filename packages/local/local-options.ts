import type { Interceptor } from './runtime/calls/service';
import type { Clock } from './runtime/time/clock';
import type { WorkTracker } from './runtime/time/work-tracker';
import type { DeliveryInterceptor, FunctionInvocation, HttpPrincipal } from './services/local-service';

/**
 * What a local stack is started from.
 *
 * @example
 * const options: LocalOptions = { assembly: 'cdk.out', port: 8083, state: '.onceflow' };
 */
export interface LocalOptions {
  /**
   * What to run: the directory of a cloud assembly, as `cdk synth` writes it; a template of SAM or CloudFormation, or
   * its directory; a state machine in a file (`orders.asl.json`); or several of them.
   */
  readonly assembly: string | readonly string[];
  /**
   * The values of template parameters, by `Parameter` or `Stack:Parameter`; of entries of the Parameter Store, by their
   * names (`/shop/url`); and of secrets, as a reference names them (`secretsmanager:shop:SecretString:key`).
   *
   * @default - the defaults of the templates, and the values of the app's own entries
   */
  readonly parameters?: Readonly<Record<string, string>>;
  /**
   * What runs instead of a function, by its construct path, its logical id or its name: the URL of a server, a module
   * (`charge.js`, `charge.py`), or a command. Use it for functions that cannot run here.
   *
   * A server gets the event as the body of a POST request, a command on its standard input. Each answers in JSON.
   *
   * @default - the code of the template
   *
   * @example
   * const functions = { 'Shop/Charge': 'http://127.0.0.1:9000/', Report: 'java -jar report.jar', Mail: './mail.js' };
   */
  readonly functions?: Readonly<Record<string, string>>;
  /** @default - the machine's clock */
  readonly clock?: Clock;
  /**
   * Determines ids and the jitter of retries: on a virtual clock the same seed gives the same histories.
   *
   * @default - different in every run
   */
  readonly seed?: string;
  /**
   * What states and resources answer instead of a service: a file in JSON or YAML, or its content. It has `Answers` by
   * state (`Charge`, `Orders/Charge`) or resource (`bedrock:invokeModel`), or what Step Functions Local reads from
   * `SFN_MOCK_CONFIG`.
   *
   * @default - the services answer; a call of a service that is not there fails
   *
   * @example
   * const mocks = { Answers: { 'bedrock:invokeModel': { Return: { Body: {} } } } };
   */
  readonly mocks?: string | object;
  /** Stands between the state machines and the services: to inject faults there. */
  readonly interceptor?: Interceptor;
  /**
   * For interceptors that let clock time pass or never answer: see `WorkTracker.pause` and `WorkTracker.lose`.
   *
   * @default - one of the stack's own
   */
  readonly work?: WorkTracker;
  /**
   * The loopback port on which AWS clients reach the stack at `LocalStack.endpoint`; 0 for one that is free. With a
   * port the process goes on until the stack is closed.
   *
   * @default - one that is free; where the stack has no function, a process that has nothing else to do ends
   */
  readonly port?: number;
  /**
   * The loopback port on which the first REST API of the assembly is served; further ones have those that follow. See
   * `LocalStack.restApis`.
   *
   * @default - any that are free
   */
  readonly httpPort?: number;
  /**
   * Whom the callers of REST APIs are taken for, where a method asks IAM or a user pool: neither is evaluated here.
   * A function that reads it from a header is for tests, for then every client says itself who it is.
   *
   * @default 'local'
   */
  readonly httpPrincipal?: HttpPrincipal;
  /**
   * Directory in which executions, histories, tables, queues, state machines and activities survive restarts and
   * crashes.
   *
   * Running executions continue. It is for one process at a time, and not to be combined with `seed`, from which a
   * second run would draw the names of the first again.
   *
   * @default - memory
   */
  readonly state?: string;
  /**
   * How many ended executions are kept, with their histories. If there are more, those that ended first are deleted, on
   * disk as well, as the service does after 90 days. They can no longer be described, and their names are free.
   *
   * @default 25,000
   */
  readonly keep?: number;
  /**
   * Executions that may run at the same time, Express ones included; a start beyond it is rejected with
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
   * Stands between the rules of EventBridge and their targets: to reject a delivery, to lose its answer, or
   * to make it twice.
   */
  readonly deliveryInterceptor?: DeliveryInterceptor;
  /**
   * What a state machine gets of a custom event bus with `MaxBatchSize: 1`: the event, or a list of it. The pages of
   * AWS contradict each other.
   *
   * @default event
   */
  readonly customBusBatchOfOne?: 'event' | 'list';
  /** Receives what Lambda functions write. @default - dropped */
  readonly log?: (functionName: string, text: string) => void;
  /** Receives the outcome of each invocation of a Lambda function. @default - dropped */
  readonly invoked?: (invocation: FunctionInvocation) => void;
  /**
   * The endpoint of another DynamoDB, such as DynamoDB Local. The tables of the assembly are created there, existing
   * ones are not changed, and `state` contains none of their items. Requests are signed with the credentials of the
   * environment, if there are any.
   *
   * @default - one of the stack's own, in memory and, with `state`, on disk
   */
  readonly dynamodb?: { readonly endpoint: string };
}

/** The name of every option of `startLocal`. */
export const LOCAL_OPTIONS: Readonly<Record<keyof LocalOptions, true>> = {
  assembly: true,
  clock: true,
  parameters: true,
  functions: true,
  seed: true,
  mocks: true,
  interceptor: true,
  work: true,
  port: true,
  httpPort: true,
  httpPrincipal: true,
  state: true,
  keep: true,
  maxRunningExecutions: true,
  stop: true,
  deliveryInterceptor: true,
  customBusBatchOfOne: true,
  log: true,
  invoked: true,
  dynamodb: true,
};
