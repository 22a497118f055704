import type { ParseArgsConfig } from 'node:util';
import { BUILT_IN } from '../explore/built-in';
import { type Exploration, type ExploreOptions, explore } from '../explore/explore';
import { FAULT_KINDS } from '../explore/steps';
import { type Json, jsonOr } from '../json/json';
import { readAssembly } from '../load-assembly';
import { pairsOf, parsedBy, UsageError } from './arguments';
import { firstProblem, readModule } from './explored-module';
import { machineOf } from './machine';
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

/** Explores a state machine, and prints what was found; the exit code. @throws UsageError, LocalError, ExploreError */
export function exploreCommand(given: readonly string[], print: (text: string) => void): number {
  const { values, positionals } = parsedBy(OPTIONS, given);
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
  const {
    invariants = {},
    inputs = [{}],
    ...options
  } = values.with === undefined ? {} : readModule(values.with);
  const always = BUILT_IN.filter(name => !without.includes(name));
  if (always.length === 0 && Object.keys(invariants).length === 0)
    throw new UsageError(
      `there is nothing to check, without ${BUILT_IN.join(', ')}; leave one in, or export \`invariants\` from --with FILE`,
    );
  const found = explore({
    ...options,
    definition: { assembly, stateMachine: machineOf(assembly, values.machine).arn },
    inputs: values.input === undefined ? inputs : [inputIn(values.input)],
    invariant: seen => firstProblem(invariants, seen),
    always,
    ...(values.kind && { kinds: chosen('kind', values.kind, FAULT_KINDS) }),
    ...countsOf(values),
  });
  print(values.json ? `${JSON.stringify(found)}\n` : render(found, [...always, ...Object.keys(invariants)]));
  return found.violation || !found.isComplete ? 1 : 0;
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

function inputIn(file: string): Json {
  const value = jsonOr(readInput(file), undefined);
  if (value === undefined) throw new UsageError(`--input ${file} is not JSON`);
  return value;
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

function render(
  { violation, isComplete, neverEntered, states }: Exploration,
  asked: readonly string[],
): string {
  const never = neverEntered.length === 0 ? [] : [`never entered: ${neverEntered.join(', ')}`];
  const count = `${states} states`;
  if (violation) return [violation.trace, `broken, after ${count}`, ''].join('\n');
  const end = isComplete
    ? `holds: ${asked.join(', ')}, in all ${count} within the bounds`
    : `unknown: given up after ${count}; raise --states`;
  return [end, ...never, ''].join('\n');
}

/** What `explore --help` prints. */
export const EXPLORE_HELP = `Usage: onceflow-local explore SOURCE [options]

Explores every order of deliveries, calls and faults of a state machine, within bounds, for one that breaks an
invariant, and prints the shortest. A SOURCE is a state machine, a template of SAM or CloudFormation, the directory of
one, or what \`cdk synth\` writes. The tables are those of the templates. A state machine in a file of its own has the
tables that its calls name, with the keys that these calls have.

Each of these must always hold:
  ends     every execution can end, without the help of a fault
  locks    when no execution runs, no item is left as no run without a fault leaves it
  puts     no write destroys what another execution has written since the item was read, also with the same value.
           A write may do so if it goes by what is there, as ADD, or if its condition checks the changed value

A fault is an answer that is lost, a call that does not arrive (unreached), an execution that is stopped, or a slow
call.

Options:
  --input JSON|FILE  JSON, a file, or - for stdin (default: {}). It replaces the \`inputs\` of --with
  --with FILE        a module (.js, .mjs, .cjs). It exports \`invariants\`, which are functions by name. Each gets what
                     there is, and returns false or the reason if it does not hold. The module can also export
                     \`inputs\`, \`tables\`, \`effects\`, \`redrives\`, \`callsEndInTime\` and \`mayBeEmpty\`
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
  onceflow-local explore lock.asl.json --kind lost --kind unreached    # no lock survives that its owner is stopped
  onceflow-local explore lock.asl.json --input order.json --with invariants.mjs --faults 2

Exit codes: 0 all holds, in all that there is within the bounds; 1 an invariant is broken, or the search was given up;
2 wrong usage, a module that is rejected, or a source that cannot be explored; 3 an internal error.
`;
