import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { BUILT_IN } from '../explore/built-in';
import { type Exploration, type ExploreOptions, explore, type Seen } from '../explore/explore';
import { FAULT_KINDS } from '../explore/steps';
import type { Json } from '../json/json';
import { readAssembly } from '../load-assembly';
import { pairsOf, UsageError } from './arguments';
import { readInput } from './run';

const OPTIONS = {
  input: { type: 'string' },
  with: { type: 'string' },
  machine: { type: 'string' },
  without: { type: 'string', multiple: true },
  deliveries: { type: 'string' },
  faults: { type: 'string' },
  states: { type: 'string' },
  kind: { type: 'string', multiple: true },
  parameter: { type: 'string', multiple: true },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} satisfies ParseArgsConfig['options'];

/** What the module of `--with` can export. */
interface Given extends Partial<Pick<ExploreOptions, 'inputs' | 'tables' | 'effects'>> {
  readonly invariants?: Readonly<Record<string, NonNullable<ExploreOptions['invariant']>>>;
}

/** Explores a state machine, and prints what was found; the exit code. @throws UsageError, LocalError, ExploreError */
export function exploreCommand(given: readonly string[], print: (text: string) => void): number {
  const { values, positionals } = parsed(given);
  if (values.help) {
    print(EXPLORE_HELP);
    return 0;
  }
  if (positionals.length !== 1)
    throw new UsageError(
      '`explore` takes one state machine, template or directory, such as `explore lock.asl.json`',
    );
  const without = chosen('without', values.without, BUILT_IN);
  const assembly = readAssembly(positionals, { parameters: pairsOf('parameter', values.parameter) });
  const module = values.with === undefined ? {} : readModule(values.with);
  const { invariants = {}, inputs = [{}], ...subject } = module;
  const found = explore({
    ...subject,
    definition: { assembly, stateMachine: machineOf(assembly.stateMachines, values.machine) },
    inputs: values.input === undefined ? inputs : [inputIn(values.input)],
    invariant: seen => firstProblem(invariants, seen),
    always: BUILT_IN.filter(name => !without.includes(name)),
    ...(values.kind && { kinds: chosen('kind', values.kind, FAULT_KINDS) }),
    ...countsOf(values),
  });
  print(values.json ? `${JSON.stringify(found)}\n` : render(found));
  return found.violation || !found.isComplete ? 1 : 0;
}

function parsed(given: readonly string[]) {
  try {
    return parseArgs({ args: [...given], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    const [text = ''] = (error as Error).message.split('. ');
    throw new UsageError(text.replace(/^U/, 'u'));
  }
}

function chosen<Name extends string>(
  option: string,
  given: readonly string[] = [],
  names: readonly Name[],
): Name[] {
  return given.map(text => {
    const name = names.find(each => each === text);
    if (name === undefined)
      throw new UsageError(`--${option} must be one of ${names.join(', ')}; got ${text}`);
    return name;
  });
}

type Machines = ReturnType<typeof readAssembly>['stateMachines'];

function machineOf(machines: Machines, asked: string | undefined): string {
  const named = machines.filter(
    ({ name, logicalId }) => asked === undefined || [name, logicalId].includes(asked),
  );
  const [machine, ...others] = named;
  // The name of a resource that no template wrote is its logical id.
  if (machine && others.length === 0) return machine.arn;
  const known = machines.map(({ logicalId }) => logicalId).join(', ');
  throw new UsageError(
    known === ''
      ? 'the source has no state machine'
      : `which state machine is not clear; pass --machine with one of ${known}`,
  );
}

function inputIn(file: string): Json {
  try {
    return JSON.parse(readInput(file)) as Json;
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(`--input ${file} is not JSON`);
  }
}

function readModule(file: string): Given {
  const found = path.resolve(file);
  if (!existsSync(found)) throw new UsageError(`--with ${file} does not exist`);
  try {
    return createRequire(found)(found) as Given;
  } catch (error) {
    throw new UsageError(
      `--with ${file} cannot be loaded: ${error instanceof Error ? error.message : error}`,
    );
  }
}

/** What the first invariant says that does not hold, behind its name. */
function firstProblem(invariants: NonNullable<Given['invariants']>, seen: Seen): string | undefined {
  for (const [name, invariant] of Object.entries(invariants)) {
    const held = invariant(seen);
    if (typeof held === 'string') return `${name}: ${held}`;
    if (held === false) return `${name} does not hold`;
  }
  return undefined;
}

function countsOf(values: Readonly<Record<string, unknown>>): Partial<ExploreOptions> {
  const names = { deliveries: 'deliveries', faults: 'faults', states: 'maxStates' } as const;
  const counts = Object.entries(names).flatMap(([option, name]) => {
    const text = values[option];
    if (text === undefined) return [];
    if (typeof text === 'string' && /^\d{1,9}$/.test(text)) return [[name, Number(text)]];
    throw new UsageError(`--${option} must be a whole number; got ${String(text)}`);
  });
  return Object.fromEntries(counts);
}

function render({ violation, isComplete, neverEntered, states }: Exploration): string {
  const never = neverEntered.length === 0 ? [] : [`never entered: ${neverEntered.join(', ')}`];
  const count = `${states} states`;
  if (violation) return [violation.trace, `broken, after ${count}`, ''].join('\n');
  const end = isComplete
    ? `holds: all ${count} were explored`
    : `unknown: given up after ${count}; raise --states`;
  return [end, ...never, ''].join('\n');
}

/** What `explore --help` prints. */
export const EXPLORE_HELP = `Usage: onceflow-local explore SOURCE [options]

Explores every order of deliveries, calls and faults of a state machine, within bounds, for one that breaks an
invariant, and prints the shortest. A SOURCE is a state machine, a template of SAM or CloudFormation, the directory of
one, or what \`cdk synth\` writes. Tables are those of the templates, or those whose key a call says.

Each of these must always hold:
  ends     every execution can end, without the help of a fault
  locks    when no execution runs, no item is left as no run without a fault leaves it
  puts     no write destroys what another execution has written since the item was read

A fault is an answer that is lost, a call that does not arrive (unreached), an execution that is stopped, or a slow
call.

Options:
  --input FILE       the input in JSON; - is stdin (default: {})
  --with FILE        a module (.js, .mjs, .cjs) that can export \`invariants\`, \`inputs\`, \`tables\` and \`effects\`
  --without NAME     an invariant of the list above that need not hold; can be repeated
  --deliveries N     how often the input is delivered (default: 2)
  --faults N         how many faults there are (default: 1)
  --kind KIND        lost, unreached, stopped or slow: only faults of this kind; can be repeated (default: all)
  --states N         gives up after N states (default: 100000)
  --machine NAME     which state machine of the source, if it has several
  --parameter NAME=VALUE   a parameter of a template, or \${NAME} of a state machine; can be repeated
  --json             one line of JSON on stdout
  -h, --help         prints this

Examples:
  onceflow-local explore lock.asl.json
  onceflow-local explore lock.asl.json --input order.json --with invariants.mjs --faults 2

Exit codes: 0 all holds, in all that there is within the bounds; 1 an invariant is broken, or the search was given up;
2 wrong usage, or a source that cannot be explored; 3 an internal error.
`;
