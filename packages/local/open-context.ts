import type { AsyncDisposableStack } from './async-disposable-stack';
import { type Assembly, environmentOf } from './load-assembly';
import { LocalError } from './local-error';
import type { LocalOptions } from './local-options';
import { Mocks } from './mocks/mocks';
import { readMocks } from './mocks/read-mocks';
import type { Interceptor } from './runtime/calls/service';
import { EvaluationThreads } from './runtime/evaluation/thread-pool';
import { randomIds, seededIds } from './runtime/ids';
import type { RealClock } from './runtime/time/real-clock';
import { WorkTracker } from './runtime/time/work-tracker';
import type { ServiceContext } from './services/local-service';
import type { ServiceRegistry } from './services/service-registry';
import { openStateDirectory, type StateDirectory } from './state/directory';

/** Some weeks of development, in some thirty megabytes of memory. */
const KEEP_DEFAULT = 25_000;

/**
 * What services work with. The state directory, the clock and the threads are closed with `opened`.
 *
 * @throws LocalError `StateUnavailable` if the state directory cannot be used
 */
export async function openContext(
  assembly: Assembly,
  options: LocalOptions,
  {
    real,
    registry,
    opened,
  }: { readonly real: RealClock; readonly registry: ServiceRegistry; readonly opened: AsyncDisposableStack },
): Promise<ServiceContext> {
  const { keep = KEEP_DEFAULT } = options;
  const directory = options.state === undefined ? undefined : await openState(options.state, keep);
  if (directory) opened.defer(() => directory.close());
  const ids = options.seed === undefined ? randomIds() : seededIds(options.seed);
  return {
    environment: environmentOf(assembly),
    resources: assembly.resources,
    clock: options.clock ?? opened.adopt(real, made => made.close()),
    ids,
    newRequestId: ids.fork('requests').uuid,
    work: options.work ?? new WorkTracker(),
    evaluator: opened.adopt(new EvaluationThreads(), made => made.close()),
    interceptors: interceptorsOf(options, ids.fork('test cases').uuid),
    log: options.log ?? (() => undefined),
    ...(options.invoked && { invoked: options.invoked }),
    directory,
    executions: executionsOf(options, keep),
    http: { port: options.httpPort ?? 0, principal: options.httpPrincipal ?? 'local' },
    batchOfOne: options.customBusBatchOfOne ?? 'event',
    ...(options.dynamodb && { dynamoDbEndpoint: options.dynamodb.endpoint }),
    services: registry,
  };
}

function executionsOf(
  { stop = [], maxRunningExecutions: maxRunning }: LocalOptions,
  keep: number,
): ServiceContext['executions'] {
  return { keep, stop, ...(maxRunning !== undefined && { maxRunning }) };
}

/** @throws LocalError `InvalidRequest` for mocks that cannot be read */
function interceptorsOf(
  { interceptor, deliveryInterceptor, mocks: given }: LocalOptions,
  newName: () => string,
): ServiceContext['interceptors'] {
  const mocks = given === undefined ? undefined : mocksOf(given, newName);
  const answered: Interceptor | undefined =
    mocks && ((call, next) => Promise.resolve(mocks.answer(call) ?? next()));
  const integrations: Interceptor | undefined =
    interceptor && answered
      ? (call, next) => interceptor(call, () => answered(call, next))
      : (interceptor ?? answered);
  return {
    ...(integrations && { integrations }),
    ...(deliveryInterceptor && { deliveries: deliveryInterceptor }),
    ...(mocks && { begin: mocks.begin, mockedActivity: task => mocks.answerOfWorker(task) }),
  };
}

function mocksOf(given: string | object, newName: () => string): Mocks {
  const read = readMocks(given);
  if (read.kind === 'problems') throw new LocalError('InvalidRequest', read.problems);
  return new Mocks(read.table, newName);
}

async function openState(root: string, keep: number): Promise<StateDirectory> {
  const opened = await openStateDirectory(root, keep);
  if (opened.kind === 'rejected') throw new LocalError('StateUnavailable', [opened.reason]);
  return opened.directory;
}
