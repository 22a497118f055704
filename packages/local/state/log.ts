import type { ClassicLevel } from 'classic-level';
import type { Execution, HistoryEvent } from '../engine/index';
import { DamagedState } from './damage';
import type { EndedExecutions, ReadEnded } from './ended-executions';
import { entriesOf } from './entries';
import { numberIn } from './keys';
import { listNames } from './list-names';
import type { Chosen, LogPosition } from './log-position';
import type { MachineRecord, Revisions } from './machine-records';
import { unpacked } from './packed-execution';
import { unsealed } from './sealed';

/** The saved value of an execution under its number. */
export interface ExecutionRecord extends Chosen {
  readonly execution: Execution;
}

export interface ReadExecution {
  readonly position: LogPosition;
  readonly record: MachineRecord;
  readonly execution: Execution;
  readonly history: readonly HistoryEvent[];
}

/** All that the log of executions holds; executions in the order of their starts. */
export interface ReadLog {
  readonly machines: ReadonlyMap<string, MachineRecord>;
  readonly executions: readonly (ReadExecution | ReadEnded)[];
}

export interface LogReaders {
  readonly revisions: Revisions;
  readonly ended: EndedExecutions;
}

/**
 * Reads a log of executions, and makes sure that nothing of it is lost: LevelDB drops what it cannot read, and says
 * nothing.
 *
 * @throws DamagedState with every execution that is not whole
 */
export async function readLog(db: ClassicLevel, { revisions, ended }: LogReaders): Promise<ReadLog> {
  const machines = new Map<string, MachineRecord>();
  const executions = new Map<number, ExecutionRecord>();
  const histories = new Map<number, HistoryEvent[]>();
  const broken = new Set<string>();
  for await (const [key, value] of entriesOf(db, 'machine')) {
    const record = contentOf<MachineRecord>(key, value);
    if (record) machines.set(key.slice('machine!'.length), record);
  }
  for await (const [key, value] of entriesOf(db, 'execution')) {
    const record = contentOf<ExecutionRecord>(key, value);
    if (record) executions.set(numberIn(key), record);
    else broken.add(`number ${numberIn(key)}`);
  }
  for await (const [key, value] of entriesOf(db, 'event')) {
    const number = numberIn(key.slice(0, key.lastIndexOf('!')));
    const events = contentOf<HistoryEvent[]>(key, value);
    const history = histories.get(number) ?? [];
    // An unreadable value is a gap, which is found below.
    for (const event of events ?? []) history.push(event);
    histories.set(number, history);
    if (!executions.has(number)) broken.add(`number ${number}`);
  }
  const read: (ReadExecution | ReadEnded)[] = [...(await ended.read(db, machines, { revisions, broken }))];
  for (const [number, { execution: packedExecution, ...chosen }] of executions) {
    const execution = unpacked(packedExecution);
    const record = machines.get(chosen.machine);
    const history = histories.get(number) ?? [];
    if (!record || !isWhole(execution, history)) broken.add(execution.arn);
    else read.push({ position: { number, chosen }, record, execution, history });
  }
  if (broken.size > 0) {
    const noun = broken.size === 1 ? 'execution' : 'executions';
    throw new DamagedState([`some data of ${noun} ${listNames([...broken], NAMES_MAX)} is lost`]);
  }
  return { machines, executions: read.sort((a, b) => a.position.number - b.position.number) };
}

function contentOf<Content>(key: string, value: string): Content | undefined {
  const text = unsealed(key, value);
  return text === undefined ? undefined : (JSON.parse(text) as Content);
}

/** Events are numbered from 1 without a gap, and the execution knows the last of them. */
function isWhole({ lastEventId }: Execution, history: readonly HistoryEvent[]): boolean {
  return history.length === lastEventId && history.every(({ id }, index) => id === index + 1);
}

/** How many executions a message names. */
const NAMES_MAX = 10;
