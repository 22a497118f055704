import type { QueueSubject } from './model';

/**
 * A queue as `Source.queue` has it, of a step of ten seconds. Its messages are received twice, one time less than
 * synthesis asks for, because a third receive makes ten times as many states.
 */
const QUEUE = {
  isFifo: false,
  messages: ['payload'],
  checkAfterSeconds: 40,
  stepSeconds: 40,
  runSeconds: 200,
  visibilitySeconds: 180,
  maxReceiveCount: 2,
} as const;

const HOUR = 3600;

/** The subjects of the queue, in the order of the page's table. */
export const QUEUE_SUBJECTS: readonly QueueSubject[] = [
  { ...QUEUE, name: 'one message', faults: 1, runSeconds: 50 },
  { ...QUEUE, name: 'early checks', faults: 1, checkAfterSeconds: 2, runSeconds: 20 },
  { ...QUEUE, name: 'a FIFO queue', isFifo: true, faults: 1, checkAfterSeconds: 2, runSeconds: 20 },
  {
    ...QUEUE,
    name: 'a step of an hour',
    faults: 1,
    checkAfterSeconds: HOUR,
    stepSeconds: HOUR,
    runSeconds: HOUR,
  },
  { ...QUEUE, name: 'an execution of days', faults: 0, runSeconds: undefined },
  { ...QUEUE, name: 'no usable key', messages: ['no key'], faults: 1 },
  { ...QUEUE, name: 'not a JSON object', messages: ['malformed'], faults: 2 },
  { ...QUEUE, name: 'a message sent twice', messages: ['payload', 'payload'], faults: 0, runSeconds: 30 },
  { ...QUEUE, name: 'two payloads', messages: ['payload', 'other payload'], faults: 0, runSeconds: 30 },
];

/** One of them by its name. @throws Error if there is none */
export function queueSubject(name: string): QueueSubject {
  const found = QUEUE_SUBJECTS.find(subject => subject.name === name);
  if (!found) throw new Error(`no subject is called ${name}`);
  return found;
}
