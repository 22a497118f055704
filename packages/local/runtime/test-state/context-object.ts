import { type Execution, type Thread, tokenFor } from '../../engine/index';
import { isJsonObject, type Json, type JsonObject } from '../../json/json';
import { parseJson } from '../../json/syntax';
import { type Definition, isoTime, type State } from '../../language/index';
import { StatesError } from '../requests/errors';
import { TESTED_NAME } from './state-under-test';

/** Where a tested state is. */
interface Place {
  readonly execution: Execution;
  readonly machine: { readonly arn: string; readonly name: string };
  readonly roleArn: string | null;
  readonly definition: Definition;
  readonly thread: Thread;
}

/** The context object where none is given: as recorded, it does not have the state's own name. */
export function madeContextObject({ execution, machine, roleArn, definition, thread }: Place): JsonObject {
  const state = definition.states.get(thread.state);
  const { taskId } = thread;
  return {
    Execution: {
      Id: execution.arn,
      Input: execution.input.value,
      Name: execution.name,
      RoleArn: roleArn,
      StartTime: isoTime(execution.startedAt),
    },
    StateMachine: { Id: machine.arn, Name: machine.name },
    State: {
      Name: TESTED_NAME,
      EnteredTime: isoTime(thread.enteredAt),
      ...(state && 'retry' in state && { RetryCount: thread.retryCount }),
    },
    ...(taskId !== null && { Task: { Token: tokenFor({ executionArn: execution.arn, taskId }) } }),
  };
}

/** The members of a context object by their types; an object has members of its own. */
interface Members {
  readonly [name: string]: 'string' | 'integer' | 'object' | Members;
}

const MEMBERS: Members = {
  Execution: {
    Id: 'string',
    Input: 'object',
    Name: 'string',
    RoleArn: 'string',
    StartTime: 'string',
    RedriveCount: 'integer',
    RedriveTime: 'string',
  },
  State: { EnteredTime: 'string', Name: 'string', RetryCount: 'integer' },
  StateMachine: { Id: 'string', Name: 'string' },
  Task: { Token: 'string' },
};

/**
 * The context object in a text. Any of its members may be absent.
 *
 * @throws StatesError `ValidationException` for members that a context object does not have, and for a `Task` in a
 * state without a token
 */
export function readContextObject(text: string, state: State): JsonObject {
  const parsed = parseJson(text);
  if (parsed.kind !== 'json' || !isJsonObject(parsed.value)) throw invalid('must be a JSON object');
  check(parsed.value, MEMBERS, []);
  if (Object.hasOwn(parsed.value, 'Task') && !hasToken(state)) {
    throw invalid(
      "Context object contains 'Task' when state is not a Task state with a '.sync' or '.waitForTaskToken' " +
        'service integration pattern',
    );
  }
  return parsed.value;
}

function hasToken(state: State): boolean {
  return (
    state.kind === 'task' && state.resource.pattern !== 'request' && state.resource.pattern !== 'function'
  );
}

function check(given: JsonObject, members: Members, path: readonly string[]): void {
  for (const [name, value] of Object.entries(given)) {
    const where = [...path, name];
    const member = Object.hasOwn(members, name) ? members[name] : undefined;
    if (member === undefined) throw unknown(where);
    const type = typeof member === 'string' ? member : 'object';
    if (!isOfType(value, type)) throw invalid(`${where.join('.')} must be ${ARTICLES[type]} ${type}`);
    if (typeof member !== 'string' && isJsonObject(value)) check(value, member, where);
  }
}

const ARTICLES = { string: 'a', integer: 'an', object: 'an' } as const;

function isOfType(value: Json, type: 'string' | 'integer' | 'object'): boolean {
  if (type === 'object') return isJsonObject(value);
  return type === 'integer' ? Number.isInteger(value) : typeof value === 'string';
}

function unknown(path: readonly string[]): StatesError {
  const name = path.at(-1) ?? '';
  return invalid(
    path.length === 1 && name === 'Map'
      ? "'Map' field is not supported when mocking a Context object"
      : `Field '${name}' is not allowed`,
  );
}

function invalid(reason: string): StatesError {
  return new StatesError('ValidationException', `Invalid Context object provided: ${reason}`);
}
