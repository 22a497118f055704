import { releaseKey } from '../actions/release';
import { textOfFile } from '../input-file';
import { keyFromArguments } from '../key/input/key';
import { resolveKey } from '../key/input/resolve-key';
import { resultText } from '../key/operator/completion';
import { operatorName } from '../key/operator/reservation';
import { flag, optional } from '../program/options';
import { usage } from '../program/rejection';
import { RECORDED_KEY_OPTIONS, STEP_TIMEOUT } from './shared-options';
import { workflowCommand } from './workflow-command';

/** A record has room for a text of this length beside the longest result. */
const TEXT_MAX = 2000;

/** Completes a key that is held for review with a result, after asking. */
export const complete = workflowCommand({
  name: 'complete',
  line: ['complete KEY', 'completes a key that is held for review with a result: the step has taken effect'],
  usage: 'complete KEY [PART...] --result FILE|JSON --reason TEXT [options]',
  does: [
    'Completes a key that is held for review: its step has taken effect, and must not run again. Later deliveries get the',
    'result. It shows its plan and asks. It does nothing if the owner or its step might still be running. It first',
    'reserves the record for 85 seconds, as release does. If the step has not taken effect, release the key instead.',
  ],
  keyOptions: RECORDED_KEY_OPTIONS,
  options: {
    result: optional(
      'FILE|JSON',
      'a file or JSON',
      'what the step would have returned, at most 50,000 characters',
    ),
    reason: optional('TEXT', 'a text', 'how you know that the step has taken effect; the record keeps it'),
    by: optional('NAME', 'a name', 'who decides; the record keeps it (default: your login name)'),
    yes: flag('do not ask; you must pass it if there is no terminal'),
    ...STEP_TIMEOUT,
  },
  examples: [
    `onceflow complete order-7 --result '{"charge":"c-1"}' --reason 'charge c-1 is in the provider'`,
    'onceflow complete order-7 --result result.json --reason "invoice 17 was sent" --yes --json',
  ],
  wantedIn(line) {
    const { yes: isConfirmed, result, reason, by = operatorName() } = line.values;
    if (result === undefined || !reason)
      throw usage(
        'complete needs --result FILE|JSON and --reason TEXT: say what the step returned, and how you know',
      );
    for (const [name, text] of Object.entries({ reason, by })) {
      if (text.length > TEXT_MAX)
        throw usage(`--${name} must have at most ${TEXT_MAX} characters: the record keeps it`);
    }
    return { key: keyFromArguments(line), isConfirmed, result, reason, by };
  },
  keyIn: ({ key }) => key,
  async run(context, { result, reason, by, ...wanted }) {
    const completion = { result: resultText(textIn(result)), reason, by };
    const key = await resolveKey(context, wanted.key, { isUnasked: wanted.isConfirmed });
    return releaseKey(context, { ...wanted, key, completion, isForced: false, isDeleted: false });
  },
});

/** The JSON text that was passed, or that of a file. @throws Rejection if it is neither */
function textIn(given: string): string {
  const isWritten = /^\s*(?:[{["\d-]|true$|false$|null$)/.test(given);
  return isWritten ? given : textOfFile(given, '--result takes JSON or a file');
}
