import type { HistoryEvent } from '@aws-sdk/client-sfn';
import { STATE } from '../../state-machine/contract/state-names';
import { transitionsOf } from './figures';
import type { Transcript } from './talk';

/** A claim of `docs/reference/aws-claims.md`, and how a conversation tells whether it holds. */
export interface VerifiedClaim {
  /** As the page calls it in `<!-- seen: ID -->`. */
  readonly id: string;
  /** The conversation that tells. */
  readonly conversation: string;
  /** True where it was seen; what was seen in its place otherwise. */
  sees(said: Transcript): true | string;
}

/** The claims that conversations settle. */
export const CLAIMS: readonly VerifiedClaim[] = [
  // The stack would not be there otherwise.
  claim('definitions-accepted', 'fresh-and-duplicate', () => true),
  claim('three-transitions', 'fresh-and-duplicate', said => equal(3, transitionsOf(eventsIn(said, 'first')))),
  claim('condition-refused', 'fresh-and-duplicate', said =>
    equal('DynamoDB.ConditionalCheckFailedException', errorIn(said, 'by record', STATE.claim)),
  ),
  claim('status-change-has-input', 'failing-step', said => {
    const { input = '' } = said.executions['recovery']?.description ?? {};
    const { detail } = JSON.parse(input || '{}') as { readonly detail?: { readonly input?: unknown } };
    return equal(said.executions['first']?.description.input, detail?.input);
  }),
  claim('start-of-a-running-name', 'stopped-in-step', said => {
    const { isThisExecution, isItsStartDate } = noted(said, 'a second start while it runs');
    return equal('true true', `${isThisExecution} ${isItsStartDate}`);
  }),
  claim('metadata-tells-redrive', 'stopped-in-step', said => {
    const { redriveCount, redriveStatus, hasStopDate } = noted(said, 'metadata of the stopped execution');
    return equal('0 REDRIVABLE true', `${redriveCount} ${redriveStatus} ${hasStopDate}`);
  }),
  claim('redrive-goes-on', 'stopped-behind-step', said => {
    const events = eventsIn(said, 'first');
    const redriven = events.findIndex(({ type }) => type === 'ExecutionRedriven');
    const entered = events.filter(event => event.stateEnteredEventDetails?.name === STATE.step).length;
    return redriven === -1 ? 'no ExecutionRedriven in the history' : equal(1, entered);
  }),
  claim('redrive-keeps-variables', 'stopped-behind-step', said =>
    equal('SUCCEEDED', said.executions['first']?.description.status),
  ),
  claim('redrive-is-counted', 'stopped-behind-step', said =>
    equal(1, said.executions['first']?.description.redriveCount),
  ),
  claim('throttled-function', 'throttled-function', said =>
    equal('Lambda.TooManyRequestsException', errorIn(said, 'first', STATE.step)),
  ),
  claim('name-is-taken', 'http', said => equal(200, noted(said, 'replayed')['status'])),
  claim('http-status', 'http', said => equal(400, noted(said, 'without a key')['status'])),
  claim('http-content-type', 'http', said =>
    equal('application/problem+json', noted(said, 'without a key')['type']),
  ),
  claim('http-header', 'http', said => equal(200, noted(said, 'first')['status'])),
  claim('same-keys-and-hashes', 'keys', said =>
    equal(0, (said.notes['different'] as readonly unknown[]).length),
  ),
];

function claim(id: string, conversation: string, sees: VerifiedClaim['sees']): VerifiedClaim {
  return { id, conversation, sees };
}

function equal(expected: unknown, seen: unknown): true | string {
  return expected === seen ? true : `${String(seen)} in place of ${String(expected)}`;
}

function eventsIn(said: Transcript, label: string): readonly HistoryEvent[] {
  return said.executions[label]?.events ?? [];
}

function noted(said: Transcript, name: string): Readonly<Record<string, unknown>> {
  return (said.notes[name] ?? {}) as Readonly<Record<string, unknown>>;
}

/** The first error of a task of this state. */
function errorIn(said: Transcript, label: string, state: string): string | undefined {
  const events = eventsIn(said, label);
  const entered = events.findIndex(event => event.stateEnteredEventDetails?.name === state);
  const failed = events
    .slice(Math.max(entered, 0))
    .find(event => event.taskFailedEventDetails ?? event.lambdaFunctionFailedEventDetails);
  return (failed?.taskFailedEventDetails ?? failed?.lambdaFunctionFailedEventDetails)?.error;
}
