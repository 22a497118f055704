import type { HistoryEvent } from '@aws-sdk/client-sfn';

/**
 * The partition keys of the records that an execution has claimed, or tried to: none before that, and without a key; in
 * a larger machine there may be several.
 */
export function claimedKeys(events: readonly HistoryEvent[]): ReadonlySet<string> {
  return new Set(events.flatMap(keyIn));
}

function keyIn({ stateExitedEventDetails, taskScheduledEventDetails }: HistoryEvent): string[] {
  const assigned = parsed(stateExitedEventDetails?.assignedVariables?.['idempotencyKey']);
  const { resource, parameters } = taskScheduledEventDetails ?? {};
  const request = resource === 'putItem' ? parsed(parameters) : undefined;
  const put = (request as { readonly Item?: { idempotencyKey?: { S?: unknown } } } | undefined)?.Item;
  return [assigned, put?.idempotencyKey?.S].filter(key => typeof key === 'string');
}

function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
