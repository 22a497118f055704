import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const SPECIFICATION = path.join(__dirname, 'protocol.pml');
const RUN_MAX_BYTES = 64 << 20;

/** What a checker is built for: everything that can happen within a budget, or one schedule. */
export type Purpose = 'all' | 'schedule';

/** One run of the checker. */
export interface Question {
  readonly deliveries: number;
  readonly faults: number;
  readonly isAtMostOnce?: boolean;
  /** The guard that is taken away; undefined: none is. */
  readonly without?: string;
  /** What happens, in this order; undefined: everything that can. */
  readonly steps?: readonly (readonly [event: string, who: number])[];
}

/** What a run has come to. */
export interface Answer {
  readonly states: number;
  readonly transitions: number;
  readonly seconds: number;
  readonly megabytes: number;
  /** False where memory or depth has ended it before all was seen. */
  readonly isWhole: boolean;
  /** With `steps`: whether they can happen one after the other. */
  readonly isPossible: boolean;
  readonly violation: { readonly invariant: string; readonly schedule: readonly string[] } | undefined;
}

/** The programs that this machine lacks for a check; undefined if there are none. */
export async function missingProgram(): Promise<string | undefined> {
  for (const [program, option] of [
    ['spin', '-V'],
    ['cc', '--version'],
  ] as const) {
    const isThere = await run(program, [option]).then(
      () => true,
      () => false,
    );
    if (!isThere) return program;
  }
  return undefined;
}

/** The guards and events of the specification: their numbers by their names. */
const NUMBERS: ReadonlyMap<string, number> = new Map(
  [...readFileSync(path.join(__dirname, 'protocol.h'), 'utf8').matchAll(/^#define (\w+) (\d+)$/gm)].map(
    ([, name = '', number]) => [name, Number(number)],
  ),
);

/** The guards that can be taken away, in the order of the specification. */
export const GUARDS = [...NUMBERS.keys()].slice(0, [...NUMBERS.keys()].indexOf('START'));
const EVENTS = [...NUMBERS.keys()].slice(GUARDS.length);

/** SPIN, and what it makes of the specification: built when it is first asked for, in a directory of its own. */
export class Checker {
  readonly #directory = mkdtempSync(path.join(tmpdir(), 'onceflow-specification-'));
  readonly #megabytes: number;
  readonly #signal: AbortSignal;

  /** `megabytes`: what a run may take. */
  constructor(megabytes: number, signal: AbortSignal) {
    this.#megabytes = megabytes;
    this.#signal = signal;
  }

  /** Asks one question. @throws Error where the checker cannot be built or is ended */
  async ask(purpose: Purpose, question: Question): Promise<Answer> {
    const cwd = await this.#built(purpose);
    const trail = path.join(cwd, 'protocol.pml.trail');
    rmSync(trail, { force: true });
    const env = { ...process.env, ...settingsOf(question) };
    const options = { cwd, env, signal: this.#signal, maxBuffer: RUN_MAX_BYTES };
    const { stdout } = await run('./pan', ['-E', '-n', '-m1000000', '-w22'], options);
    const told = existsSync(trail) ? (await run('./pan', ['-r', trail], options)).stdout : undefined;
    const number = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1] ?? 0);
    return {
      states: number(/(\d+) states, stored/),
      transitions: number(/(\d+) transitions/),
      seconds: number(/elapsed time ([\d.]+)/),
      megabytes: number(/([\d.]+)\ttotal actual memory/),
      isWhole: !/Search not completed|max search depth too small|out of memory/.test(stdout),
      isPossible: stdout.includes('script over'),
      violation: told === undefined ? undefined : violationIn(told),
    };
  }

  close(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }

  async #built(purpose: Purpose): Promise<string> {
    const cwd = path.join(this.#directory, purpose);
    if (existsSync(path.join(cwd, 'pan'))) return cwd;
    mkdirSync(cwd, { recursive: true });
    const options = { cwd, signal: this.#signal };
    await run('spin', ['-a', ...(purpose === 'schedule' ? ['-DSCRIPT'] : []), SPECIFICATION], options);
    // Of a state 64 bits of a hash are kept.
    const flags = ['-DHC4', '-DSAFETY', '-DNOFAIR', '-DVECTORSZ=1024', `-DMEMLIM=${this.#megabytes}`];
    await run('cc', ['-O1', '-w', ...flags, '-o', 'pan', 'pan.c'], options);
    return cwd;
  }
}

function settingsOf({ deliveries, faults, isAtMostOnce, without, steps = [] }: Question) {
  const numbers = steps.flatMap(([event, who]) => [numberOf(event), who]);
  return {
    DELIVERIES: String(deliveries),
    FAULTS: String(faults),
    AT_MOST_ONCE: isAtMostOnce ? '1' : '0',
    WITHOUT: String(without === undefined ? 0 : numberOf(without)),
    STEPS: numbers.join(' '),
  };
}

function numberOf(name: string): number {
  const number = NUMBERS.get(name);
  if (number === undefined) throw new Error(`the specification has no ${name}`);
  return number;
}

function violationIn(told: string): Answer['violation'] {
  const schedule = [...told.matchAll(/^step (\d+) (\d+)$/gm)].map(([, event, who]) => {
    const name = EVENTS[Number(event) - 1] ?? 'unknown';
    return `${name.toLowerCase().replaceAll('_', '-')}${who}`;
  });
  return { invariant: /^broken (\w+)/m.exec(told)?.[1] ?? 'unknown', schedule };
}
