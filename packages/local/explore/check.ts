import { kindOf, problemWithNames } from '../option-names';
import { BUILT_IN, type BuiltInInvariant } from './built-in';
import { atOnce, ExploreError } from './kernel/index';
import { type Bounds, FAULT_KINDS } from './steps';
import type { ExploredTable, ExploreSubject } from './subject';

/** The options of a search, as a caller without types may give them. */
interface Given extends Partial<ExploreSubject>, Partial<Bounds> {
  readonly invariant?: unknown;
  readonly always?: readonly BuiltInInvariant[];
  readonly maxStates?: number;
  readonly mayBeEmpty?: boolean;
}

/** The name of every option. */
const OPTIONS: Readonly<Record<keyof Given, true>> = {
  definition: true,
  inputs: true,
  tables: true,
  effects: true,
  invariant: true,
  always: true,
  kinds: true,
  deliveries: true,
  faults: true,
  redrives: true,
  maxStates: true,
  mayBeEmpty: true,
  callsEndInTime: true,
};

const TABLE_OPTIONS: Readonly<Record<keyof ExploredTable, true>> = {
  partitionKey: true,
  sortKey: true,
  items: true,
};

/** What a definition is given as, for those who gave something else. */
const FORMS = 'an object, a text, or { assembly: readAssembly(directory), stateMachine: path }';

/**
 * Rejects what would fail in the middle of a search, and what would let it find nothing because nothing happens.
 *
 * @throws ExploreError that names the option, and its expected value
 */
export function checkOptions(options: Given | undefined): void {
  if (!options) throw new ExploreError('what is explored is missing; give { definition, inputs, invariant }');
  checkNames('`explore`', options, OPTIONS);
  const { definition, inputs, tables = {}, effects = {}, invariant } = options;
  if (definition === undefined) throw new ExploreError(`\`definition\` is missing; give ${FORMS}`);
  checkReference(definition);
  if (!Array.isArray(inputs)) throw new ExploreError('`inputs` is a list of what executions start with');
  if (inputs.length === 0) throw new ExploreError('`inputs` is empty; give at least one input');
  checkInvariants(invariant, options.always);
  const { kinds = [] } = options;
  if (!Array.isArray(kinds) || !kinds.every(kind => FAULT_KINDS.includes(kind)))
    throw new ExploreError(`\`kinds\` is a list of ${FAULT_KINDS.join(', ')}`);
  for (const [name, given] of Object.entries({ tables, effects })) {
    if (typeof atOnce(given, `\`${name}\``) === 'object' && given !== null && !Array.isArray(given)) continue;
    throw new ExploreError(`\`${name}\` is an object, by names; got ${kindOf(given)}`);
  }
  for (const [name, table] of Object.entries(tables)) checkTable(`the table ${name} of \`tables\``, table);
  for (const [name, effect] of Object.entries(effects)) {
    if (typeof effect === 'function') continue;
    throw new ExploreError(
      `"${name}" of \`effects\` is not a function; pass a function that returns the answer`,
    );
  }
  checkCount(options, 'deliveries', 1);
  checkCount(options, 'faults', 0);
  checkCount(options, 'redrives', 0);
  const { callsEndInTime = false, mayBeEmpty = false } = options;
  for (const [name, given] of Object.entries({ callsEndInTime, mayBeEmpty }))
    if (typeof given !== 'boolean') throw new ExploreError(`\`${name}\` is true or false, got ${given}`);
  if (options.maxStates !== Number.POSITIVE_INFINITY) checkCount(options, 'maxStates', 1);
}

function checkInvariants(invariant: unknown, always: unknown = []): void {
  const isKnown = Array.isArray(always) && always.every(name => BUILT_IN.includes(name));
  if (!isKnown) throw new ExploreError(`\`always\` is a list of ${BUILT_IN.join(', ')}`);
  if (invariant === undefined && always.length > 0) return;
  if (typeof invariant !== 'function') throw new ExploreError('`invariant` is a function of what there is');
}

/** A definition that is one of an assembly says of which, and where it is. */
function checkReference(definition: NonNullable<Given['definition']> | null): void {
  if (typeof definition !== 'object' || definition === null) return;
  const { assembly, stateMachine } = definition as {
    readonly assembly?: { readonly namedResources?: unknown };
    readonly stateMachine?: unknown;
  };
  if (assembly === undefined && stateMachine === undefined) return;
  if (Array.isArray(assembly?.namedResources) && typeof stateMachine === 'string') return;
  throw new ExploreError(`\`definition\` is not all there; give ${FORMS}`);
}

function checkTable(of: string, table: ExploredTable | undefined): void {
  if (table?.partitionKey === undefined) {
    throw new ExploreError(`${of} lacks \`partitionKey\`, the name of its key`);
  }
  checkNames(of, table, TABLE_OPTIONS);
  for (const member of ['partitionKey', 'sortKey'] as const) {
    const key = table[member];
    if (key === undefined || typeof key === 'string') continue;
    if (typeof key?.name === 'string' && ['S', 'N', 'B'].includes(key.type)) continue;
    throw new ExploreError(`\`${member}\` of ${of} is a name, or { name, type } with S, N or B as its type`);
  }
}

function checkNames(of: string, options: object, names: Readonly<Record<string, true>>): void {
  const problem = problemWithNames(of, options, names);
  if (problem !== undefined) throw new ExploreError(problem);
}

function checkCount(options: Given, name: Exclude<keyof Bounds, 'kinds'> | 'maxStates', least: number): void {
  const count = options[name];
  if (count === undefined || (Number.isInteger(count) && count >= least)) return;
  throw new ExploreError(`\`${name}\` is a whole number from ${least}, got ${count}`);
}
