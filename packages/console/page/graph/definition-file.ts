/**
 * The definition in a file: the States Language itself, or what DescribeStateMachine and
 * DescribeStateMachineForExecution print, which have it as a text; undefined where the file has none.
 */
export function definitionIn(text: string): string | undefined {
  const machine = parsed(text);
  if (isMachine(machine)) return text;
  const { definition } = (machine ?? {}) as { readonly definition?: unknown };
  if (typeof definition === 'string') return isMachine(parsed(definition)) ? definition : undefined;
  return isMachine(definition) ? JSON.stringify(definition) : undefined;
}

function isMachine(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('States' in value)) return false;
  return typeof value.States === 'object' && value.States !== null;
}

/** What a JSON text stands for; undefined if it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
