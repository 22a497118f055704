import type { Answer, CommandContext } from '../actions/answer';
import { redriveKey } from '../actions/redrive';
import type { Key } from '../key/input/key';
import { keyFromArguments } from '../key/input/key';
import { resolveKey } from '../key/input/resolve-key';
import { whyNotListed } from '../key/list/executions-cost';
import { flag } from '../program/options';
import { Rejection, usage } from '../program/rejection';
import { type CompletionOptions, completeKeys, planAll } from '../repair/complete-keys';
import { endedWith, findEndedExecutions } from '../repair/ended-executions';
import { printable } from '../text';
import { type AskedRange, DAY_MS, rangeAt } from '../time-range';
import { ERROR_NAME, inBulk, RECORDED_KEY_OPTIONS, STEP_TIMEOUT, timeRange } from './shared-options';
import { workflowCommand } from './workflow-command';

/** Which keys `redrive --failed` is about, and how it goes about them. */
export interface WantedOfAll extends CompletionOptions {
  readonly range: AskedRange;
  /** Only executions that ended with this error; undefined: with any. */
  readonly error: string | undefined;
}

/** One key, or all that executions left unfinished. */
type RedriveRequest = { readonly key: Key; readonly isForced: boolean } | { readonly failed: WantedOfAll };

/** Redrives the ended owner of a key, or those of all keys that executions left unfinished. */
export const redrive = workflowCommand({
  name: 'redrive',
  line: ['redrive KEY', 'resumes an ended owner where it stopped; with --failed, all unfinished keys'],
  usage: 'redrive KEY [PART...]|--failed [options]',
  does: [
    'Resumes the ended owner of a key where it stopped, as recovery does. It does nothing if the owner or its step might',
    'still be running, or if the key was released.',
    '',
    'With --failed it reads all executions that ended without succeeding, and the records of their keys. It redrives',
    'ended owners, and redelivers the input of keys that failed or were never claimed. It leaves keys alone that are',
    'finished, running, held for review, or rejected because of their input. You can run it again to do the rest. It takes',
    'all workflows unless you name one, asks for each, and --limit counts for each.',
  ],
  keyOptions: RECORDED_KEY_OPTIONS,
  options: {
    failed: flag(
      'all keys whose executions ended without finishing them, instead of KEY; shows its plan and asks',
    ),
    ...timeRange('with --failed: executions that ended', { ago: DAY_MS }),
    error: ERROR_NAME,
    ...inBulk('keys'),
    force: flag(
      "with delivery 'at-most-once': redrive an owner that was interrupted in its step, which then runs again",
    ),
    ...STEP_TIMEOUT,
    'dry-run': flag('with --failed: show the plan, and do nothing'),
    yes: flag('with --failed: do not ask; you must pass it if there is no terminal'),
  },
  examples: [
    'onceflow redrive order-7',
    'onceflow redrive --failed --since 2h',
    'onceflow redrive --failed --since 2h --dry-run --json',
    'onceflow redrive --failed --since 2h --error DynamoDB.ValidationException --per-second 20 --yes',
  ],
  wantedIn(line): RedriveRequest {
    const { values, positionals, given } = line;
    if (!values.failed) {
      const alone = (['since', 'until', 'error', 'limit', 'per-second', 'dry-run'] as const).find(name =>
        given.has(name),
      );
      if (alone !== undefined) throw usage(`--${alone} needs --failed, as in: redrive --failed --since 2h`);
      if (positionals.length === 0 && values['json-key'] === undefined)
        throw usage(
          'which key? Pass KEY, --json-key for a composite key, or --failed for all unfinished keys',
        );
      return { key: keyFromArguments(line), isForced: values.force };
    }
    if (positionals.length > 0) throw usage('redrive takes either a key or --failed; leave one of them out');
    if (values.force)
      throw usage(
        '--force works on one key only, because you must check each interrupted step; pass KEY instead of --failed',
      );
    const { since, until, error, limit, yes: isConfirmed } = values;
    const [perSecond, isDryRun] = [values['per-second'], values['dry-run']];
    return { failed: { range: { since, until }, error, limit, perSecond, isConfirmed, isDryRun } };
  },
  keyIn: wanted => ('key' in wanted ? wanted.key : undefined),
  async runOnAll(contexts, wanted) {
    if ('key' in wanted) return undefined;
    const answers: (Answer & { readonly workflow: string })[] = [];
    // An Express workflow among others is left out, as `list` does.
    const listed = contexts.filter(({ workflow }) => whyNotListed(workflow) === undefined);
    for (const context of listed.length === 0 ? contexts : listed) {
      const { name } = context.workflow;
      const answer = await redriveFailed(context, wanted.failed).catch(leftAlone);
      answers.push({ workflow: name, ...answer });
    }
    return {
      code: Math.max(...answers.map(({ code }) => code)),
      json: { workflows: answers.map(({ workflow, json }) => ({ workflow, ...(json as object) })) },
      text: style =>
        answers.map(({ workflow, text }) => `${printable(workflow)}:\n${text(style)}`).join('\n'),
    };
  },
  async run(context, wanted) {
    if ('failed' in wanted) return redriveFailed(context, wanted.failed);
    return redriveKey(context, { ...wanted, key: await resolveKey(context, wanted.key) });
  },
});

/** Of one workflow among several, why nothing was done. @throws what is not a Rejection */
function leftAlone(error: unknown): Answer {
  if (!(error instanceof Rejection)) throw error;
  return { code: error.code, json: error.json, text: () => `${error.message}\n` };
}

/**
 * Completes the keys whose executions ended without: redrives their ended owners, or delivers the inputs again, under
 * the workflow's own rules.
 *
 * @throws Rejection for an Express workflow, and if the user does not answer yes
 */
export async function redriveFailed(context: CommandContext, wanted: WantedOfAll): Promise<Answer> {
  const { aws, terminal } = context;
  const search = { range: rangeAt(aws.time.now(), wanted.range), ...endedWith(wanted.error) };
  const ended = await findEndedExecutions(context, search, terminal.progress);
  const all = await planAll(context, ended, wanted.error !== undefined);
  const keyless = ended.filter(({ recordKey }) => recordKey === undefined).length;
  return completeKeys(context, all, wanted, keyless);
}
