import type { JsonObject } from '../json/json';
import { isoTime } from '../language/index';
import type { Execution, Machine, MapItem, Thread } from './execution';
import { tokenFor } from './task-token';

// The reserved variable `$states`: https://states-language.net/spec.html#reserved-states-variable-with-jsonata
// The Context Object: https://states-language.net/spec.html#context-object
// Its members are the service's: https://docs.aws.amazon.com/step-functions/latest/dg/input-output-contextobject.html

/**
 * Whether an expression may read the context object: it uses `$states` other than for another member of it, or `%` or
 * `@`, which lead back from a member. Most do neither, and making a context object costs more than they do.
 */
export function seesContext(source: string): boolean {
  const known = SEEING.get(source);
  if (known !== undefined) return known;
  if (SEEING.size >= SEEING_MAX) SEEING.clear();
  const isSeeing = /[%@]|\$states(?!\.(?:input|result|errorOutput)\b)/.test(source);
  SEEING.set(source, isSeeing);
  return isSeeing;
}

/** Expressions come from definitions, so there are few; the bound is for processes that see very many of those. */
const SEEING_MAX = 10_000;
const SEEING = new Map<string, boolean>();

/** The context object as it is now in the thread's state. */
export function contextObject(machine: Machine, execution: Execution, thread: Thread): JsonObject {
  if (machine.contextObject) return { ...machine.contextObject(thread), ...mapOf(thread) };
  const isTask = machine.definition.states.get(thread.state)?.kind === 'task';
  return {
    Execution: {
      Id: execution.arn,
      Input: execution.input.value,
      StartTime: isoTime(execution.startedAt),
      Name: execution.name,
      RoleArn: machine.roleArn,
      // As recorded: a synchronous Express execution does not have it.
      ...(execution.kind === 'EXPRESS_SYNC' ? {} : { RedriveCount: execution.redriveCount }),
      ...(execution.redrivenAt === null ? {} : { RedriveTime: isoTime(execution.redrivenAt) }),
    },
    StateMachine: { Id: machine.arn, Name: machine.name },
    State: {
      Name: thread.state,
      EnteredTime: isoTime(thread.enteredAt),
      ...(isTask ? { RetryCount: thread.retryCount } : {}),
    },
    ...(thread.taskId === null
      ? {}
      : { Task: { Token: tokenFor({ executionArn: execution.arn, taskId: thread.taskId }) } }),
    ...mapOf(thread),
  };
}

function mapOf({ item }: Thread): JsonObject {
  return item === null ? {} : { Map: { Item: itemObject(item) } };
}

function itemObject({ index, value, key }: MapItem): JsonObject {
  return { Index: index, Value: value, ...(key === undefined ? {} : { Key: key }) };
}
