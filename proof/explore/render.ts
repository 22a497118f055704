import { isSpare, type SpareFate } from './mutations/report';
import type { MutantFate } from './mutations/run';
import type { Budget } from './search/expansion';
import type { Exploration, Stop } from './search/search';

/** An exploration as a person reads it. `time`: seconds of the exploration, and of the program until now. */
export function renderExploration(
  { budget, definition }: { readonly budget: Budget; readonly definition: string },
  exploration: Exploration,
  time: { readonly seconds: number; readonly wallSeconds: number },
): string {
  const {
    states,
    transitions,
    depth,
    executionStates,
    comparesPayload,
    neverEntered,
    enteredInProbe,
    stopped,
    waiting,
    violation,
  } = exploration;
  const notEvenInProbe = neverEntered.filter(name => !enteredInProbe.includes(name));
  const rows: (readonly [string, string])[] = [
    ['definition', definition],
    ['deliveries', `${budget.executions}, started ${budget.channels.join(' or ')}`],
    ['faults', `up to ${budget.faults}`],
    ['states', String(states)],
    ['transitions', String(transitions)],
    ['depth', String(depth)],
    ...(stopped ? [['not explored', `${waiting} of the states that were found`] as const] : []),
    ['execution states', String(executionStates)],
    ['time', `${time.wallSeconds.toFixed(1)} s, of them ${time.seconds.toFixed(1)} s for the exploration`],
    ...(comparesPayload ? [] : [['payloads', 'not compared: all deliveries have the same'] as const]),
    // Before its end a search has not been everywhere.
    ...(violation || stopped ? [] : namesRow('never entered', notEvenInProbe)),
    ...(violation || stopped ? [] : namesRow('only in the end', enteredInProbe)),
  ];
  const table = rows.map(([name, value]) => `  ${name.padEnd(18)}${value}\n`).join('');
  return `${table}\n${violation ? '' : `${stopped ? STOPPED[stopped] : 'ok: no violation'}\n`}`;
}

function namesRow(title: string, names: readonly string[]): (readonly [string, string])[] {
  return names.length === 0 ? [] : [[title, names.join(', ')]];
}

const STOPPED: Readonly<Record<Stop, string>> = {
  interrupted: 'interrupted: no violation so far',
  memory:
    'out of memory: no violation so far; --memory MB allows for more, and NODE_OPTIONS=--max-old-space-size=MB for more of what the engine works with',
};

/** The command that goes through a schedule again. */
export function replayCommand(
  { executions, faults, channels }: Budget,
  schedule: readonly string[],
  more: readonly string[],
): string {
  const start = channels.length > 1 ? 'both' : (channels[0] ?? 'direct');
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
  const { budget, violation } = killed;
  return (
    `killed    ${mutation.name.padEnd(36)}${time}  ${mutation.says}\n` +
    `          ${violation.invariant}: ${violation.seen}\n` +
    `          ${replayCommand(budget, violation.schedule, [...more, '--only', mutation.name])}\n`
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
  const budget: Budget = { executions, faults, channels: ['direct'] };
  const command = replayCommand(budget, schedule.split(' '), [...more, '--only', guard.name]);
  const seen = needed ? `${needed.invariant}: ${needed.seen}` : 'breaks nothing';
  return `${line}          ${seen}\n          ${command}\n`;
}
