/**
 * JSONata of what tells apart who claims under one ARN; the same in each try of a Task, and after a redrive.
 *
 * A name is free again 90 days after its execution has ended: when the execution was started tells it from one of the
 * same name. An execution of which the states are a part may be in them several times at once. An Express execution may
 * be restarted from its beginning: when the state was entered tells its runs apart.
 */
export function entryOf({
  isPart,
  isExpress,
}: {
  readonly isPart: boolean;
  readonly isExpress: boolean;
}): string {
  if (isPart) return '$entry';
  return isExpress ? '$states.context.State.EnteredTime' : '$states.context.Execution.StartTime';
}
