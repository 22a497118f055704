import { sha256 } from './sha256';
import type { Subject } from './subject';

/** How many characters of a hash tell definitions apart, to a reader. */
const SHOWN = 8;

/**
 * A hash of the definitions that are explored: of the workflow, and of the machines beside it, also former ones. Their
 * comments do not count, because nothing that is explored depends on them.
 */
export function definitionHash(subject: Subject): string {
  const { workflow, dispatcher, recovery, former, redelivery, frontDoor } = subject;
  const beside = [redelivery, frontDoor].filter(machine => machine !== undefined);
  const all = [workflow, dispatcher, recovery, former, ...beside];
  const machines = all.map(
    machine => machine && [machine.machine.arn, machine.type, machine.stepMs, machine.taskMs, machine.json],
  );
  return sha256(JSON.stringify(machines, (name, value) => (name === 'Comment' ? undefined : value)));
}

/** Its first characters, as figures name what they were counted on. */
export function shownHash(subject: Subject): string {
  return definitionHash(subject).slice(0, SHOWN);
}
