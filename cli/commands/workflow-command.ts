import type { Answer, CommandContext } from '../actions/answer';
import type { Aws } from '../aws/aws';
import { clientsFor, type Target } from '../aws/clients';
import { listWorkflows, type WorkflowSelector, workflowFor } from '../aws/find-workflow';
import { type Overrides, workflowIn } from '../aws/workflow';
import { each } from '../concurrency';
import type { Key } from '../key/input/key';
import { workflowsWithKey } from '../key/input/resolve-key';
import { knownNowhere } from '../key/nothing-known';
import type { CommandLine } from '../program/command-line';
import { type OptionTable, optionHelp, type ValuesOf } from '../program/options';
import { Rejection, requireAtMostOne, usage } from '../program/rejection';
import { printable } from '../text';
import { type Command, command } from './command';
import { ANSWER_OPTIONS, WHERE_OPTIONS } from './shared-options';

/** Where things are: what all commands about a workflow take. */
interface Common {
  readonly target: Target;
  readonly selector: WorkflowSelector;
  readonly overrides: Overrides;
}

/** A command about a workflow, as its file declares it. */
interface Declaration<KeyTable extends OptionTable, Own extends OptionTable, Wanted>
  extends Pick<Command, 'name' | 'line'>,
    Partial<Pick<Command, 'isReadOnly'>> {
  /** How it is called, with everything that it takes. */
  readonly usage: string;
  /** What it does: lines of its help. */
  readonly does: readonly string[];
  readonly examples: readonly string[];
  /** How its key is given; empty for a command without one. */
  readonly keyOptions: KeyTable;
  readonly options: Own;
  /** What the command line asks for. @throws Rejection for options that do not go together */
  wantedIn(line: CommandLine<KeyTable & Own>): Wanted;
  run(context: CommandContext, wanted: Wanted): Promise<Answer>;
  /** The key that it is about, which selects its workflow; undefined: none. */
  keyIn?(wanted: Wanted): Key | undefined;
  /**
   * The same for several workflows, if the command line names none: for those that know the key, or for all of the
   * place. Undefined if one must be selected, as without it.
   */
  runOnAll?(contexts: readonly CommandContext[], wanted: Wanted): Promise<Answer | undefined>;
  /** The parts that need no workflow; undefined for the parts that need one. */
  runWithout?(aws: Aws, wanted: Wanted): Promise<Answer> | undefined;
}

/** A command about a workflow, which can be run on any. */
export interface WorkflowCommand<Wanted> extends Command {
  run(context: CommandContext, wanted: Wanted): Promise<Answer>;
}

/** The lines of help about where the workflow is. */
export const WHERE = `The workflow (you can leave this out if the region has only one):
${optionLines(WHERE_OPTIONS)}`;

/** The line of help about exit codes. */
export const EXIT_CODES =
  'Exit codes: 0 done, 1 not possible, 2 wrong usage, 3 internal error, 130 interrupted.\n';

/** A command about the workflow that its options, or the environment, lead to. */
export function workflowCommand<KeyTable extends OptionTable, Own extends OptionTable, Wanted>(
  declared: Declaration<KeyTable, Own, Wanted>,
): WorkflowCommand<Wanted> {
  const { name, line, isReadOnly = false, wantedIn, run, keyIn, runOnAll, runWithout } = declared;
  const options = { ...WHERE_OPTIONS, ...ANSWER_OPTIONS, ...declared.keyOptions, ...declared.options };
  const { read, ...about } = command({
    name,
    line,
    isReadOnly,
    help: helpOf(declared),
    options,
    positional: 'key',
    wantedIn({ values, given, positionals }, env) {
      const plain = positionals.map(positional => positional.replace(NEGATIVE_KEY, ''));
      // The table of all has the command's own.
      const own = { values: values as ValuesOf<KeyTable & Own>, given, positionals: plain };
      const common = commonIn(values as ValuesOf<typeof COMMON_OPTIONS>, env);
      return { command: wantedIn(own), common };
    },
    async run({ command: wanted, common: { target, selector, overrides } }, { terminal, env, ended }) {
      const aws = clientsFor(target, env, ended);
      try {
        const answer = runWithout?.(aws, wanted);
        if (answer !== undefined) return await answer;
        const isNamed = selector.stateMachine !== undefined || selector.scope !== undefined;
        const key = keyIn?.(wanted);
        const all = !isNamed && (runOnAll || key) ? await listWorkflows(aws, selector) : [];
        if (all.length > 1) {
          const contexts = await each(all, async machine => {
            return { aws, workflow: await workflowIn(aws, machine, overrides), terminal };
          });
          const meant = key === undefined ? contexts : await contextsOf(contexts, key);
          const [only] = meant.length === 1 ? meant : [];
          if (only !== undefined) return await run(only, wanted);
          const answer = await runOnAll?.(meant, wanted);
          if (answer !== undefined) return answer;
          throw severalKnow(meant);
        }
        const workflow = await workflowFor(aws, selector, overrides);
        return await run({ aws, workflow, terminal }, wanted);
      } finally {
        aws.close();
      }
    },
  });
  return { ...about, run, read: (args, env) => read(withNegativeKeys(args, options), env) };
}

/** Those that know the key. @throws Rejection if none does */
async function contextsOf(contexts: readonly CommandContext[], key: Key): Promise<readonly CommandContext[]> {
  const known = await workflowsWithKey(contexts, key);
  if (known.length > 0) return known;
  throw new Rejection(knownNowhere(contexts, key));
}

function severalKnow(contexts: readonly CommandContext[]): Rejection {
  const scopes = contexts.map(({ workflow }) => printable(workflow.scope)).join(', ');
  return usage(`several workflows have this key: ${scopes}. Select one with --scope`);
}

const COMMON_OPTIONS = { ...WHERE_OPTIONS, ...ANSWER_OPTIONS };

function commonIn(
  values: ValuesOf<typeof COMMON_OPTIONS> & { readonly 'step-timeout'?: unknown },
  env: NodeJS.ProcessEnv,
): Common {
  requireAtMostOne(values, ['stack', 'state-machine'], 'the workflow');
  const {
    stack,
    endpoint,
    region,
    table,
    'state-machine': stateMachine,
    'step-timeout': stepTimeout,
  } = values;
  const scope = values.scope ?? (env['ONCEFLOW_SCOPE'] || undefined);
  const byDefault = stack === undefined ? env['ONCEFLOW_STATE_MACHINE'] || undefined : undefined;
  const stepTimeoutMs = typeof stepTimeout === 'number' ? stepTimeout : undefined;
  return {
    target: { endpoint, region },
    selector: { stateMachine: stateMachine ?? byDefault, stack, scope },
    overrides: { table: table ?? (env['ONCEFLOW_TABLE'] || undefined), scope, stepTimeoutMs },
  };
}

/** Stands before a number below zero that is a key, so that it is not read as an option: no argument can have it. */
const NEGATIVE_KEY = /^\0/;

/** `show --number -5`: with `--number` a number below zero is a key, unless it is the value of an option. */
function withNegativeKeys(args: readonly string[], table: OptionTable): string[] {
  if (!args.includes('--number')) return [...args];
  const takesValue = (arg: string | undefined) => {
    const name = arg?.startsWith('--') ? arg.slice(2) : '';
    return Object.hasOwn(table, name) && table[name]?.valueName !== undefined;
  };
  return args.map((arg, index) => (/^-\d+$/.test(arg) && !takesValue(args[index - 1]) ? `\0${arg}` : arg));
}

function helpOf({
  usage,
  does,
  keyOptions,
  options,
  examples,
}: Pick<
  Declaration<OptionTable, OptionTable, unknown>,
  'usage' | 'does' | 'keyOptions' | 'options' | 'examples'
>): string {
  const key =
    "The key is the value of the workflow's idempotencyKey: a text, or the parts of a composite key in order.";
  const blocks = [
    `Usage: onceflow ${usage}\n`,
    `${does.join('\n')}\n`,
    ...(Object.keys(keyOptions).length > 0 ? [`${key}\n${optionLines(keyOptions)}`] : []),
    optionHelp({ ...options, ...ANSWER_OPTIONS }),
    WHERE,
    `Examples:\n${examples.map(example => `  ${example}\n`).join('')}`,
    EXIT_CODES,
  ];
  return blocks.join('\n');
}

/** The lines about options, without that about `--help`. */
export function optionLines(table: OptionTable): string {
  return optionHelp(table).replace(/ {2}--help +this text\n$/, '');
}
