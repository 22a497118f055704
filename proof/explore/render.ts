import type { Violation } from './invariants';
import { isSpare, type SpareFate } from './mutations/report';
import type { MutantFate } from './mutations/run';
import type { Budget, Exploration, Progress, Stop } from './search/search';
import type { Told } from './search/story';

/** How far an exploration has come, on a terminal; silent elsewhere, so that logs stay clean. */
export function progressOn(stream: NodeJS.WriteStream): { show(progress: Progress): void; end(): void } {
  if (!stream.isTTY) return { show: () => undefined, end: () => undefined };
  const began = performance.now();
  return {
    show({ states, depth }) {
      const perSecond = Math.round(states / ((performance.now() - began) / 1000));
      stream.write(`\r\u001b[2K${states} states, depth ${depth}, ${perSecond} states/s`);
    },
    end: () => void stream.write('\r\u001b[2K'),
  };
}

/** An exploration as a person reads it. */
export function renderExploration(budget: Budget, exploration: Exploration, seconds: number): string {
  const { states, transitions, depth, localStates, comparesPayload, unvisited, stopped, violation } =
    exploration;
  const rows: (readonly [string, string])[] = [
    ['deliveries', `${budget.executions}, started ${budget.entries.join(' or ')}`],
    ['faults', `up to ${budget.faults}`],
    ['states', String(states)],
    ['transitions', String(transitions)],
    ['depth', String(depth)],
    ['execution states', String(localStates)],
    ['time', `${seconds.toFixed(1)} s`],
    ...(comparesPayload ? [] : [['payloads', 'not compared: all deliveries have the same'] as const]),
    // Before its end a search has not been everywhere.
    ...(violation || stopped || unvisited.length === 0
      ? []
      : [['never entered', unvisited.join(', ')] as const]),
  ];
  const table = rows.map(([name, value]) => `  ${name.padEnd(18)}${value}\n`).join('');
  return `${table}\n${violation ? '' : `${stopped ? STOPPED[stopped] : 'ok: no violation'}\n`}`;
}

const STOPPED: Readonly<Record<Stop, string>> = {
  interrupted: 'interrupted: no violation so far',
  memory:
    'out of memory: no violation so far; with NODE_OPTIONS=--max-old-space-size=MEGABYTES Node.js may use more',
};

/** A schedule told step by step, and the invariant it breaks. */
export function renderStory(told: readonly Told[], violation: Violation | undefined): string {
  const steps = told.map(({ says, record, places }, index) => {
    return `${String(index + 1).padStart(3)}. ${says}\n     record: ${record}\n     ${places}\n`;
  });
  const end = violation
    ? `VIOLATION of ${violation.invariant}: ${violation.seen}\n  ${violation.says}\n`
    : 'no violation\n';
  return `${steps.join('')}\n${end}`;
}

/** The command that goes through a schedule again. */
export function replayCommand(
  { executions, faults, entries }: Budget,
  schedule: readonly string[],
  more: readonly string[],
): string {
  const start = entries.length > 1 ? 'both' : (entries[0] ?? 'direct');
  const numbers = ['--executions', String(executions), '--faults', String(faults), '--start', start];
  const words = [...numbers, ...more, '--replay'].map(quoted);
  return `npm run explore -- ${words.join(' ')} '${schedule.join(' ')}'`;
}

/** A word as a shell takes it for one. */
function quoted(word: string): string {
  return /^[\w./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** One line for a mutant; `more`: what its command needs besides. */
export function renderFate({ mutation, killed, seconds }: MutantFate, more: readonly string[]): string {
  const time = `${seconds.toFixed(1)} s`.padStart(8);
  if (!killed) return `SURVIVED  ${mutation.name.padEnd(36)}${time}  ${mutation.says}\n`;
  const { budget, exploration } = killed;
  return (
    `killed    ${mutation.name.padEnd(36)}${time}  ${mutation.says}\n` +
    `          ${exploration.violation?.invariant}: ${exploration.violation?.seen}\n` +
    `          ${replayCommand(budget, exploration.violation?.schedule ?? [], [...more, '--only', mutation.name])}\n`
  );
}

/** One line for a guard that another one holds; `more`: what the command of a schedule that needs it has besides. */
export function renderSpare(fate: SpareFate, more: readonly string[]): string {
  const { guard, seconds, needed } = fate;
  const time = `${seconds.toFixed(1)} s`.padStart(8);
  const verdict = isSpare(fate) ? 'spare   ' : 'MISSED  ';
  const line = `${verdict}  ${guard.name.padEnd(36)}${time}  ${guard.says}; held by ${guard.heldBy}\n`;
  if (!guard.needed) return line;
  const { schedule, executions, faults } = guard.needed;
  const budget: Budget = { executions, faults, entries: ['direct'] };
  const command = replayCommand(budget, schedule.split(' '), [...more, '--only', guard.name]);
  const seen = needed ? `${needed.invariant}: ${needed.seen}` : 'breaks nothing';
  return `${line}          ${seen}\n          ${command}\n`;
}
