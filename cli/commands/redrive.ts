import type { Answer, CommandContext } from '../actions/answer';
import { redriveKey } from '../actions/redrive';
import { endedWith, findDeadExecutions } from '../bulk/dead-executions';
import { planAll, type Redelivering, redeliver } from '../bulk/redeliver';
import type { Key } from '../key/key';
import { resolveKey } from '../key/readings';
import { type AskedRange, rangeAt } from '../key/time-range';
import { flag } from '../program/options';
import { usage } from '../program/refusal';
import { DAY_MS, ERROR_NAME, inBulk, RECORDED_KEY_OPTIONS, STEP_TIMEOUT, timeRange } from './shared-options';
import { keyIn, workflowCommand } from './workflow-command';

/** Which keys `redrive --failed` is about, and how it goes about them. */
export interface WantedOfAll extends Redelivering {
  readonly range: AskedRange;
  /** Only executions that ended with this error; undefined: with any. */
  readonly error: string | undefined;
}

/** One key, or all that executions left unfinished. */
type Wanted = { readonly key: Key; readonly isForced: boolean } | { readonly failed: WantedOfAll };

/** Redrives the ended owner of a key, or those of all keys that executions left unfinished. */
export const redrive = workflowCommand({
  name: 'redrive',
  line: [
    'redrive KEY',
    'resumes an ended owner where it stopped; with --failed all keys that executions left unfinished',
  ],
  usage: 'redrive KEY [PART...]|--failed [options]',
  does: [
    'Resumes the ended owner of a key where it stopped, as recovery does. Refuses while the owner or its step may be',
    'running, and once the key is released.',
    '',
    'With --failed: looks at all executions that ended without succeeding, and at the records of their keys. An ended',
    'owner is redriven; of a key that has failed, or was never claimed, the input is delivered again. What is finished,',
    'at work, held for review, or rejected for what it is stays as it is. A second run finds what is left to do.',
  ],
  keyOptions: RECORDED_KEY_OPTIONS,
  options: {
    failed: flag(
      'instead of a KEY all keys whose executions ended without finishing them: shows what it will do, and asks',
    ),
    ...timeRange('with --failed: executions that ended', { ago: DAY_MS }),
    error: ERROR_NAME,
    ...inBulk('keys'),
    force: flag('at most once: also if it was interrupted in the step, which then runs again'),
    ...STEP_TIMEOUT,
    'dry-run': flag('with --failed: show what would be done, and do nothing'),
    yes: flag('do not ask, with --failed; for one key it is accepted: that does not ask'),
  },
  examples: [
    'onceflow redrive order-7',
    'onceflow redrive --failed --since 2h',
    'onceflow redrive --failed --since 2h --dry-run --json',
    'onceflow redrive --failed --since 2h --error DynamoDB.ValidationException --per-second 20 --yes',
  ],
  wantedIn(line): Wanted {
    const { values, positionals, given } = line;
    if (!values.failed) {
      const alone = (['since', 'until', 'error', 'limit', 'per-second', 'dry-run'] as const).find(name =>
        given.has(name),
      );
      if (alone !== undefined) throw usage(`--${alone} goes with --failed: redrive --failed --since 2h`);
      if (positionals.length === 0 && values['json-key'] === undefined)
        throw usage(
          'which key? Pass KEY, --json-key for a composite one, or --failed for all that are unfinished',
        );
      return { key: keyIn(line), isForced: values.force };
    }
    if (positionals.length > 0) throw usage('redrive takes a key, or --failed, and not both');
    if (values.force) throw usage('--force is for one key: what is in doubt is looked at one by one');
    const { since, until, error, limit, yes: isConfirmed } = values;
    const [perSecond, isDryRun] = [values['per-second'], values['dry-run']];
    return { failed: { range: { since, until }, error, limit, perSecond, isConfirmed, isDryRun } };
  },
  async run(context, wanted) {
    if ('failed' in wanted) return redriveFailed(context, wanted.failed);
    return redriveKey(context, { ...wanted, key: await resolveKey(context, wanted.key) });
  },
});

/**
 * Completes the keys whose executions ended without: redrives their ended owners, or delivers the inputs again, under
 * the workflow's own rules.
 *
 * @throws Refusal for an Express workflow, and where somebody who is asked does not say yes
 */
export async function redriveFailed(context: CommandContext, wanted: WantedOfAll): Promise<Answer> {
  const { aws, terminal } = context;
  const search = { range: rangeAt(aws.time.now(), wanted.range), ...endedWith(wanted.error) };
  const dead = await findDeadExecutions(context, search, terminal.progress);
  const all = await planAll(context, dead, wanted.error !== undefined);
  const keyless = dead.filter(({ recordKey }) => recordKey === undefined).length;
  return redeliver(context, all, wanted, keyless);
}
