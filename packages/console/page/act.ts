import type { ActionCall, ActionOutcome } from '../actions';
import { readAgain } from './live';

/** What this page was served with where it may write; undefined where it may only read. */
export const TOKEN = document.querySelector<HTMLMetaElement>('meta[name="onceflow-token"]')?.content;

/** What came of it, as far as the page has heard. */
export type Heard = ActionOutcome | { readonly kind: 'unknown'; readonly text: string };

/**
 * Asks the server to do something. Never rejects: where no answer comes it may have been done, and the page says so.
 * Everything that is shown is read anew behind it.
 */
export async function send(call: ActionCall): Promise<Heard> {
  try {
    const answer = await fetch('/api/actions', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-onceflow-token': TOKEN ?? '' },
      body: JSON.stringify(call),
    });
    const outcome: unknown = await answer.json();
    if (answer.ok) return outcome as ActionOutcome;
    const { error } = outcome as { readonly error?: string };
    // A request that was rejected before it was begun has not been done; of a fault that is unknown.
    const kind = answer.status < 500 ? 'rejected' : 'unknown';
    return { kind, text: error ?? `HTTP ${answer.status}` };
  } catch {
    return {
      kind: 'unknown',
      text: 'The server did not answer, so the action might have been done. Check what the page shows.',
    };
  } finally {
    readAgain();
  }
}
