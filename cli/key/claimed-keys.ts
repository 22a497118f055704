import type { HistoryEvent } from '@aws-sdk/client-sfn';
import type { TableSchema } from '../../state-machine/contract/index';
import { STATE } from '../../state-machine/contract/state-names';
import type { Workflow } from '../aws/workflow';
import { valueOfText } from '../text';

/** The keys that an execution claims, as far as its history says. */
export interface ClaimedKeys {
  /** Partition keys of the records that it has claimed, or tried to; several in a larger machine. */
  readonly keys: ReadonlySet<string>;
  /** True where it has entered its claim, and these events do not say for which key. */
  readonly isKeyMissing: boolean;
  /** True where its claim failed with no key: that of its input may be usable, if only the payload is missing. */
  readonly isInvalid: boolean;
}

/** The keys that an execution has claimed or tried to claim in these events. */
export function claimedKeysIn(
  events: readonly HistoryEvent[],
  { prefix, schema }: Pick<Workflow, 'prefix' | 'schema'>,
): ClaimedKeys {
  const keys = new Set(events.flatMap(event => claimedKeyIn(event, schema)));
  const claim = `${prefix}${STATE.claim}`;
  const hasEntered = events.some(event => event.stateEnteredEventDetails?.name === claim);
  const isInvalid = keys.size === 0 && events.some(event => gaveNoKey(event, claim));
  return { keys, isKeyMissing: keys.size === 0 && hasEntered && !isInvalid, isInvalid };
}

function claimedKeyIn(
  { stateExitedEventDetails, taskScheduledEventDetails }: HistoryEvent,
  { partitionKey }: TableSchema,
): string[] {
  const assigned = valueOfText(stateExitedEventDetails?.assignedVariables?.['idempotencyKey']);
  const { resource, parameters } = taskScheduledEventDetails ?? {};
  const request = resource === 'putItem' ? valueOfText(parameters) : undefined;
  const put = (request as { readonly Item?: Item } | undefined)?.Item;
  return [assigned, put?.[partitionKey]?.S].filter(key => typeof key === 'string');
}

type Item = Readonly<Record<string, { readonly S?: unknown } | undefined>>;

/** Whether the claim's expression gave no key, or none that can be used. */
function gaveNoKey(event: HistoryEvent, claim: string): boolean {
  const { evaluationFailedEventDetails: failed, stateExitedEventDetails: exited } = event;
  if (failed !== undefined) return (failed.state ?? claim) === claim;
  return exited?.name === claim && exited.assignedVariables?.['failedEvaluations'] !== undefined;
}
