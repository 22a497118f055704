import { type Execution, type Machine, newExecution } from '../../engine/index';
import type { JsonObject } from '../../json/json';
import type { MachineRegistry } from '../catalogue/machine-registry';
import { SHARED_THREADS } from '../evaluation/thread-pool';
import type { Ports } from '../executor/ports';
import { readInput } from '../requests/start-request';
import { answerOf } from './answer';
import { madeContextObject, readContextObject } from './context-object';
import { readMock, requireMockable } from './mock';
import type { TestStateAnswer, TestStateRequest } from './request';
import { readVariables, requireMock, requireReaderData, requireUnmocked } from './requirements';
import { type StateUnderTest, stateUnderTest } from './state-under-test';
import { TestRun } from './test-run';

export interface TestPorts extends Pick<Ports, 'clock' | 'ids' | 'interceptor' | 'services' | 'work'> {
  /** Where the state believes to be. */
  readonly machines: Pick<MachineRegistry, 'environment'>;
  /** @default - threads of the process */
  readonly evaluator?: Ports['evaluator'];
  /** Called with what is broken. @default - a warning of the process */
  readonly report?: Ports['report'];
}

/**
 * Tests one state, with a mock or with its own work, which the services do. Nothing of a test is kept. `whenGone` gets
 * a function to call when the caller no longer waits for the answer: the answer never comes then.
 *
 * @throws StatesError for a request that Step Functions rejects
 */
export type TestState = (
  request: TestStateRequest,
  whenGone?: (listener: () => void) => void,
) => Promise<TestStateAnswer>;

/** TestState with these services, on this clock. */
export function stateTester({ evaluator = SHARED_THREADS, report = warn, ...given }: TestPorts): TestState {
  const ports = { ...given, evaluator, report };
  return async (request, whenGone = () => undefined) => {
    const tested = stateUnderTest(request, ports.services);
    const { state, language } = tested;
    requireMock(request);
    const mock = request.mock && readMock(requireMockable(state), request.mock);
    if (mock) requireReaderData(state, request);
    else requireUnmocked(state, request, ports.services);
    const context = request.context === undefined ? undefined : readContextObject(request.context, state);
    const variables = readVariables(request.variables);
    const { machine, execution } = place(ports, tested, request, context);
    const configuration = request.stateConfiguration ?? {};
    const test = new TestRun(ports, {
      machine,
      execution,
      state,
      language,
      variables,
      configuration,
      whenGone,
      ...(mock && { mock }),
    });
    return answerOf(request, state, await test.run());
  };
}

/** The execution that the state believes to be in: an Express one of a machine that is not registered. */
function place(
  { clock, ids, machines }: TestPorts,
  { definition }: StateUnderTest,
  { input = '{}', roleArn }: TestStateRequest,
  context: JsonObject | undefined,
): { readonly machine: Machine; readonly execution: Execution } {
  const { partition, region, account } = machines.environment;
  const machineName = ids.uuid();
  const name = ids.uuid();
  const arns = `arn:${partition}:states:${region}:${account}`;
  const execution = newExecution({
    arn: `${arns}:express:${machineName}:${name}`,
    name,
    input: readInput(input),
    startedAt: clock.now(),
    kind: 'EXPRESS_SYNC',
  });
  const named = { arn: `${arns}:stateMachine:${machineName}`, name: machineName };
  const machine: Machine = {
    definition,
    ...named,
    roleArn: roleArn ?? '',
    contextObject: thread =>
      context ??
      madeContextObject({ execution, machine: named, roleArn: roleArn ?? null, thread, definition }),
  };
  return { machine, execution };
}

function warn({ message }: Error): void {
  process.emitWarning(message);
}
