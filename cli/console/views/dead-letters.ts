import type { DeadLetters, QueueItem } from '@onceflow/console';
import { Rejection } from '../../program/rejection';
import type { Connection } from '../connection';
import { readDeliveries } from './read-deliveries';

/**
 * The queues with messages whose tries are exhausted, each with the workflow that they were on their way to, as far as
 * names say it; null if queues cannot be read.
 */
export async function deadLettersOf(
  connection: Connection,
  workflows: readonly string[],
): Promise<readonly DeadLetters[] | null> {
  const { queues, functions } = await readDeliveries(connection).catch((error: unknown) => {
    if (error instanceof Rejection) return { queues: null, functions: null };
    throw error;
  });
  if (queues === null) return null;
  const own = (name: string) =>
    longest(workflows.filter(workflow => name.startsWith(`${constructOf(workflow)}`)));
  return queues
    .filter(({ keepsFor, waiting, inFlight }) => keepsFor.length > 0 && waiting + inFlight > 0)
    .map((queue: QueueItem) => {
      const sources = queues
        .filter(({ deadLetterQueue }) => deadLetterQueue === queue.name)
        .map(({ name }) => name);
      const takers = (functions ?? []).filter(({ takesFrom }) =>
        takesFrom.some(name => sources.includes(name)),
      );
      const names = [
        queue.name,
        ...queue.keepsFor.map(text => text.split(' ').at(-1) ?? ''),
        ...takers.map(one => one.name),
      ];
      const { name, waiting, inFlight, oldest } = queue;
      return {
        queue: name,
        count: waiting + inFlight,
        oldest,
        workflow: names.map(own).find(Boolean) ?? null,
      };
    });
}

/** What the names of all that a workflow's construct has begin with, as CloudFormation makes them. */
function constructOf(workflow: string): string {
  return workflow.replace(/StateMachine[0-9A-F]{8}.*$/, '');
}

function longest(names: readonly string[]): string | undefined {
  return names.toSorted((one, other) => constructOf(other).length - constructOf(one).length)[0];
}
