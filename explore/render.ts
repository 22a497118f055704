import type { Violation } from './invariants';
import type { SpareFate } from './mutations/report';
import type { MutantFate } from './mutations/run';
import type { Budget, Exploration, Progress } from './search/search';
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
  const { states, transitions, depth, localStates, violation } = exploration;
  const rows: [string, string][] = [
    ['deliveries', `${budget.executions}, started ${budget.entries.join(' or ')}`],
    ['faults', `up to ${budget.faults}`],
    ['states', String(states)],
    ['transitions', String(transitions)],
    ['depth', String(depth)],
    ['execution states', String(localStates)],
    ['time', `${seconds.toFixed(1)} s`],
  ];
  const table = rows.map(([name, value]) => `  ${name.padEnd(18)}${value}\n`).join('');
  return `${table}\n${violation ? '' : 'ok: no violation\n'}`;
}

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
export function replayCommand(budget: Budget, schedule: readonly string[], more: readonly string[]): string {
  const start = budget.entries.length > 1 ? 'both' : (budget.entries[0] ?? 'direct');
  const numbers = `--executions ${budget.executions} --faults ${budget.faults} --start ${start}`;
  return `npm run explore -- ${[numbers, ...more].join(' ')} --replay '${schedule.join(' ')}'`;
}

/** One line for a mutant. */
export function renderFate({ mutation, killed, seconds }: MutantFate): string {
  const time = `${seconds.toFixed(1)} s`.padStart(8);
  if (!killed) return `SURVIVED  ${mutation.name.padEnd(36)}${time}  ${mutation.says}\n`;
  const { budget, exploration } = killed;
  const only = ['--mutations', '--only', mutation.name];
  return (
    `killed    ${mutation.name.padEnd(36)}${time}  ${mutation.says}\n` +
    `          ${exploration.violation?.invariant}: ${exploration.violation?.seen}\n` +
    `          ${replayCommand(budget, exploration.violation?.schedule ?? [], only)}\n`
  );
}

/** One line for a guard that another one holds. */
export function renderSpare({ guard, seconds, killed }: SpareFate): string {
  const time = `${seconds.toFixed(1)} s`.padStart(8);
  const verdict = killed ? 'MISSED  ' : 'spare   ';
  return `${verdict}  ${guard.name.padEnd(36)}${time}  ${guard.says}; held by ${guard.heldBy}\n`;
}
