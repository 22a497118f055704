import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { nearest } from '../assembly/likeness';
import type { ExploreOptions, Seen } from '../explore/explore';
import { verdictOf } from '../explore/verdict';
import { kindOf } from '../option-names';
import { UsageError } from './arguments';

type Invariants = Readonly<Record<string, NonNullable<ExploreOptions['invariant']>>>;

/** What the module of `--with` can export: invariants by name, and the options that the command line does not have. */
interface Given
  extends Partial<
    Pick<ExploreOptions, 'inputs' | 'tables' | 'effects' | 'redrives' | 'callsEndInTime' | 'mayBeEmpty'>
  > {
  readonly invariants?: Invariants;
}

const EXPORTS: Readonly<Record<keyof Given, true>> = {
  callsEndInTime: true,
  effects: true,
  inputs: true,
  invariants: true,
  mayBeEmpty: true,
  redrives: true,
  tables: true,
};

/** Reads the module of `--with`. @throws UsageError if it cannot be loaded, or exports what is not known */
export function readModule(file: string): Given {
  const found = path.resolve(file);
  if (!existsSync(found)) throw new UsageError(`--with ${file} does not exist`);
  let exported: unknown;
  try {
    exported = createRequire(found)(found);
  } catch (error) {
    throw new UsageError(
      `--with ${file} cannot be loaded: ${error instanceof Error ? error.message : error}`,
    );
  }
  const problem = problemOf(exported);
  if (problem !== undefined) throw new UsageError(`--with ${file} exports ${problem}`);
  const given = exported as Given;
  requireFunctions(given.invariants);
  // Compilers mark their modules with it.
  const { __esModule: _, ...known } = given as Given & { readonly __esModule?: unknown };
  return known;
}

function problemOf(exported: unknown): string | undefined {
  const known = Object.keys(EXPORTS);
  const all = `it can export ${known.join(', ')}`;
  if (typeof exported !== 'object' || exported === null || Array.isArray(exported))
    return `${kindOf(exported)}; ${all}`;
  const names = Object.keys(exported).filter(name => name !== '__esModule');
  if (names.length === 0) return `nothing; ${all}`;
  const unknown = names
    .filter(name => !Object.hasOwn(EXPORTS, name))
    .map(name => {
      const near = nearest(name, known);
      return near === undefined ? `\`${name}\`` : `\`${name}\` (did you mean \`${near}\`?)`;
    });
  return unknown.length === 0 ? undefined : `unknown names, ${unknown.join(', ')}; ${all}`;
}

/** Anything else would be taken for invariants that hold. */
function requireFunctions(invariants: unknown = {}): void {
  if (typeof invariants !== 'object' || invariants === null || Array.isArray(invariants))
    throw new UsageError(`\`invariants\` must be an object of functions by name, got ${kindOf(invariants)}`);
  for (const [name, invariant] of Object.entries(invariants)) {
    if (typeof invariant === 'function') continue;
    throw new UsageError(`\`${name}\` of \`invariants\` is not a function; pass a function of what there is`);
  }
}

/** What the first invariant says that does not hold, behind its name. @throws ExploreError if one says neither */
export function firstProblem(invariants: Invariants, seen: Seen): string | undefined {
  for (const [name, invariant] of Object.entries(invariants)) {
    const problem = verdictOf(`\`${name}\` of \`invariants\``, () => invariant(seen));
    if (problem !== undefined) return `${name}: ${problem}`;
  }
  return undefined;
}
