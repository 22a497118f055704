import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ClassicLevel } from 'classic-level';
import { type Execution, newExecution } from '../../engine/execution';
import type { HistoryEvent } from '../../engine/history';
import { parseDefinition } from '../../language/asl/parse';
import type { RegisteredMachine } from '../../runtime/catalogue/registered-machine';
import { openStateDirectory, type StateDirectory } from '../../state/directory';
import { Revisions } from '../../state/machine-records';
import { START, textOf, WAIT, worldOf } from '../runtime/world';

const opened: StateDirectory[] = [];
const directories: string[] = [];

/** Closes and removes what the test has made; for `afterEach`. */
export async function cleanUp(): Promise<void> {
  await closeAll();
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
}

/** Closes what is open, as the orderly end of a process does. */
export async function closeAll(): Promise<void> {
  for (const directory of opened.splice(0)) await directory.close();
}

/** Lets every disk reject the next write. */
export function rejectNextWrite(): void {
  const full = async () => {
    spy.mockRestore();
    throw new Error('no space left on device');
  };
  const spy = jest.spyOn(ClassicLevel.prototype, 'batch').mockImplementation(full as never);
}

/** An empty directory. */
export function newPath(): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'onceflow-state-'));
  directories.push(directory);
  return directory;
}

/** A directory that is open until the end of the test; nothing of it is read yet. */
export async function open(directory: string, keep?: number): Promise<StateDirectory> {
  const result = await openStateDirectory(directory, keep);
  if (result.kind === 'rejected') throw new Error(result.reason);
  opened.push(result.directory);
  return result.directory;
}

/** The same directory in the hands of the next process, with what it reads. */
export async function reopen(directory: string, keep?: number): Promise<StateDirectory> {
  await closeAll();
  const state = await open(directory, keep);
  await state.store.load(revisions());
  return state;
}

/** Definitions that are made of their texts as they are. */
export function revisions(): Revisions {
  return new Revisions(({ definitionText }) => {
    const parsed = parseDefinition(definitionText);
    return parsed.kind === 'definition' ? parsed.definition : undefined;
  });
}

/** The text of a machine that waits. */
export const text = textOf({ W: WAIT });

/** A machine named `m`. */
export function machine(more: Partial<RegisteredMachine> = {}): RegisteredMachine {
  const { runtime } = worldOf();
  return { ...runtime.register(text, { name: 'm' }), ...more };
}

/** An execution of it that has got to its event `lastEventId`. */
export function execution(name: string, lastEventId = 0, more: Partial<Execution> = {}): Execution {
  const arn = `arn:aws:states:us-east-1:111111111111:execution:m:${name}`;
  const fresh = newExecution({ arn, name, input: { value: {}, text: '{}' }, startedAt: START });
  return { ...fresh, lastEventId, ...more };
}

/** What makes it one that has ended. */
export const ENDED: Partial<Execution> = { status: 'FAILED', end: { at: START + 100, error: 'E' } };

/** When a store has compressed those that have ended, and begun to write that. */
export async function whenCompressed(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(resolve => setImmediate(resolve));
}

/** An event with this number. */
export function event(id: number): HistoryEvent {
  return { id, previousEventId: id - 1, type: 'WaitStateEntered', timestamp: START + id };
}
