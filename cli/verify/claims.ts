import type { HistoryEvent } from '@aws-sdk/client-sfn';
import { STATE } from '../../state-machine/contract/state-names';
import { costOf } from '../key/list/cost';
import { EVENT_SOURCE } from './environment';
import type { Transcript } from './scenario-run';

/** A claim of `docs/reference/aws-claims.md`, and how a scenario tells whether it holds. */
export interface VerifiedClaim {
  /** As the page calls it in `<!-- seen: ID -->`. */
  readonly id: string;
  /** The scenario that tells. */
  readonly scenario: string;
  /** True where it was seen; what was seen in its place otherwise. */
  sees(transcript: Transcript): true | string;
}

/** The claims that scenarios settle. */
export const CLAIMS: readonly VerifiedClaim[] = [
  // The stack would not be there otherwise.
  claim('definitions-accepted', 'fresh-and-duplicate', () => true),
  claim('three-states', 'fresh-and-duplicate', transcript =>
    equal(3, costOf(eventsIn(transcript, 'first'), '').transitions),
  ),
  claim('condition-rejected', 'fresh-and-duplicate', transcript =>
    equal('DynamoDB.ConditionalCheckFailedException', errorIn(transcript, 'by record', STATE.claim)),
  ),
  claim('status-change-has-input', 'failing-step', transcript => {
    const { input = '' } = transcript.executions['recovery']?.description ?? {};
    const { detail } = JSON.parse(input || '{}') as { readonly detail?: { readonly input?: unknown } };
    return equal(transcript.executions['first']?.description.input, detail?.input);
  }),
  claim('start-of-a-running-name', 'stopped-in-step', transcript => {
    const { isThisExecution, isItsStartDate } = noted(transcript, 'a second start while it runs');
    return equal('true true', `${isThisExecution} ${isItsStartDate}`);
  }),
  claim('metadata-tells-redrive', 'stopped-in-step', transcript => {
    const { redriveCount, redriveStatus, hasStopDate } = noted(
      transcript,
      'metadata of the stopped execution',
    );
    return equal('0 REDRIVABLE true', `${redriveCount} ${redriveStatus} ${hasStopDate}`);
  }),
  claim('redrive-goes-on', 'stopped-behind-step', transcript => {
    const events = eventsIn(transcript, 'first');
    const redriven = events.findIndex(({ type }) => type === 'ExecutionRedriven');
    const entered = events.filter(event => event.stateEnteredEventDetails?.name === STATE.step).length;
    return redriven === -1 ? 'no ExecutionRedriven in the history' : equal(1, entered);
  }),
  claim('redrive-keeps-variables', 'stopped-behind-step', transcript =>
    equal('SUCCEEDED', transcript.executions['first']?.description.status),
  ),
  claim('redrive-is-counted', 'stopped-behind-step', transcript =>
    equal(1, transcript.executions['first']?.description.redriveCount),
  ),
  claim('throttled-function', 'throttled-function', transcript =>
    equal('Lambda.TooManyRequestsException', errorIn(transcript, 'first', STATE.step)),
  ),
  claim('custom-bus-envelope', 'custom-event-bus', transcript => {
    const { input = '', status } = transcript.executions['workflow']?.description ?? {};
    const { source, 'detail-type': type } = JSON.parse(input || '{}') as Readonly<Record<string, unknown>>;
    return equal(`${EVENT_SOURCE} OrderPlaced SUCCEEDED`, `${source} ${type} ${status}`);
  }),
  claim('name-is-taken', 'http', transcript => equal(200, noted(transcript, 'replayed')['status'])),
  claim('http-status', 'http', transcript => equal(400, noted(transcript, 'without a key')['status'])),
  claim('http-content-type', 'http', transcript =>
    equal('application/problem+json', noted(transcript, 'without a key')['type']),
  ),
  claim('http-header', 'http', transcript => equal(200, noted(transcript, 'first')['status'])),
  claim('name-in-express-arn', 'http-express', transcript => {
    const { kind, place } = noted(transcript, 'owner');
    return equal('express 7', `${kind} ${place}`);
  }),
  claim('same-keys-and-hashes', 'keys', transcript =>
    equal(0, (transcript.notes['different'] as readonly unknown[]).length),
  ),
];

function claim(id: string, scenario: string, sees: VerifiedClaim['sees']): VerifiedClaim {
  return { id, scenario, sees };
}

function equal(expected: unknown, seen: unknown): true | string {
  return expected === seen ? true : `${String(seen)} in place of ${String(expected)}`;
}

function eventsIn(transcript: Transcript, label: string): readonly HistoryEvent[] {
  return transcript.executions[label]?.events ?? [];
}

function noted(transcript: Transcript, name: string): Readonly<Record<string, unknown>> {
  return (transcript.notes[name] ?? {}) as Readonly<Record<string, unknown>>;
}

/** The first error of a task of this state. */
function errorIn(transcript: Transcript, label: string, state: string): string | undefined {
  const events = eventsIn(transcript, label);
  const entered = events.findIndex(event => event.stateEnteredEventDetails?.name === state);
  const failed = events
    .slice(Math.max(entered, 0))
    .find(event => event.taskFailedEventDetails ?? event.lambdaFunctionFailedEventDetails);
  return (failed?.taskFailedEventDetails ?? failed?.lambdaFunctionFailedEventDetails)?.error;
}
