import { isoTime } from '../asl/timestamp';
import type { JsonObject } from '../json/json';
import type { Execution, Machine, MapItem, Thread } from './execution';
import { tokenFor } from './task-token';

// The reserved variable `$states`: https://states-language.net/spec.html#reserved-states-variable-with-jsonata
// The Context Object: https://states-language.net/spec.html#context-object
// Its members are the service's: https://docs.aws.amazon.com/step-functions/latest/dg/input-output-contextobject.html

/**
 * `$states` as a field of a state sees it: the state's input, the context object, and `more`, the members
 * that only this field has.
 *
 * The context object is made when it is read: most expressions never do, and it costs more than they do.
 */
export function statesObject(
  machine: Machine,
  execution: Execution,
  thread: Thread,
  more: JsonObject,
): JsonObject {
  let context: JsonObject | undefined;
  return {
    input: thread.input.value,
    get context() {
      context ??= contextObject(machine, execution, thread);
      return context;
    },
    ...more,
  };
}

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
