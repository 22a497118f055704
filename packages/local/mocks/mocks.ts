import type { JobResult, ServiceCall, ServiceResult } from '../runtime/calls/service';
import { StatesError } from '../runtime/requests/errors';
import type { StartRequest } from '../runtime/requests/start-request';
import { type MockedAnswer, type MockedResponse, type MockTable, withoutPattern } from './read-mocks';

/** Of so many executions the test case is remembered, and of so many states how often they have called. */
const REMEMBERED_MAX = 10_000;

/** What answers calls by a file instead of a service. */
export class Mocks {
  readonly #table: MockTable;
  readonly #newName: () => string;
  /** The test cases of executions, by `Machine:Execution`. */
  readonly #cases = new Map<string, string>();
  /** How often a state of an execution has called. */
  readonly #calls = new Map<string, number>();

  /** `newName` makes the names of executions. */
  constructor(table: MockTable, newName: () => string) {
    this.#table = table;
    this.#newName = newName;
  }

  /**
   * The request to start an execution without its test case, which follows the ARN of the machine behind `#`.
   *
   * @throws StatesError `ValidationException` if there is no such test case
   */
  readonly begin = (request: StartRequest): StartRequest => {
    const [stateMachineArn = '', testCase] = request.stateMachineArn.split('#');
    if (testCase === undefined) return request;
    const machine = stateMachineArn.split(':')[6] ?? '';
    const isOfMachine = (name: string) => isNameOf(name.slice(0, name.lastIndexOf('#')), machine);
    const names = [...this.#table.testCases.keys()].filter(isOfMachine);
    const found = names.find(name => name.endsWith(`#${testCase}`));
    if (found === undefined) {
      const known = names.map(name => name.slice(name.lastIndexOf('#') + 1)).join(', ') || 'none';
      const message = `The mocks have no test case ${testCase} of ${machine}; those of this state machine: ${known}`;
      throw new StatesError('ValidationException', message);
    }
    const { name = this.#newName() } = request;
    remember(this.#cases, `${machine}:${name}`, found);
    return { ...request, stateMachineArn, name };
  };

  /** The answer to a call; undefined if the service has it. */
  answer(call: ServiceCall): ServiceResult | undefined {
    const response = this.#responseTo(call);
    if (response === undefined) return undefined;
    const answer = this.#chosen(response, call);
    if (answer === undefined) return noAttempt(call, response);
    const isWaitedFor = call.isCallback === true || /\.sync(?::2)?$/.test(call.resource);
    if (answer.kind === 'failed' || !isWaitedFor) return answer;
    return { kind: 'submitted', output: {}, result: Promise.resolve(answer) };
  }

  /** The answer to a task of an activity, which no job and no token follows; undefined if a worker has it. */
  answerOfWorker(task: ServiceCall): JobResult | undefined {
    const answer = this.answer(task);
    return answer?.kind === 'submitted' ? undefined : answer;
  }

  #responseTo({ executionArn, stateName, resource }: ServiceCall): MockedResponse | undefined {
    const [, , , , , , machine = '', execution = ''] = executionArn.split(':');
    const { answers, testCases } = this.#table;
    const ofCase = testCases.get(this.#cases.get(`${machine}:${execution}`) ?? '')?.get(stateName);
    if (ofCase) return ofCase;
    for (const [key, response] of answers) {
      const slash = key.indexOf('/');
      if (slash > 0 && key.slice(slash + 1) === stateName && isNameOf(key.slice(0, slash), machine)) {
        return response;
      }
    }
    return answers.get(stateName) ?? answers.get(withoutPattern(resource));
  }

  #chosen(response: MockedResponse, call: ServiceCall): MockedAnswer | undefined {
    if (response.kind === 'byAttempt') return response.answers.get(call.retryCount);
    const { answers } = response;
    if (answers.length < 2) return answers[0];
    const key = `${call.executionArn} ${call.stateName}`;
    const made = this.#calls.get(key) ?? 0;
    remember(this.#calls, key, made + 1);
    return answers[Math.min(made, answers.length - 1)];
  }
}

/** Whether a machine is meant by a name: its own, or the logical id at the end of a name that was generated. */
export function isNameOf(name: string, machine: string): boolean {
  return name === machine || machine.endsWith(`-${name}`);
}

function noAttempt({ stateName, retryCount }: ServiceCall, response: MockedResponse): ServiceResult {
  const known = response.kind === 'byAttempt' ? [...response.answers.keys()].join(', ') : '';
  const cause = `The mocks have no answer for attempt ${retryCount} of the state '${stateName}'; they have ${known}`;
  return { kind: 'failed', error: 'States.Runtime', cause };
}

function remember<Value>(memory: Map<string, Value>, key: string, value: Value): void {
  memory.delete(key);
  memory.set(key, value);
  const [oldest] = memory.keys();
  if (memory.size > REMEMBERED_MAX && oldest !== undefined) memory.delete(oldest);
}
