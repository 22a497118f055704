import { readFileSync } from 'node:fs';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { type QueueCode, SHIPPED } from './code';
import type { QueueSubject } from './model';

/** A function of the queue with one guard taken away. */
export interface QueueMutation {
  readonly name: string;
  readonly says: string;
  readonly file: 'check-message/check-batch' | 'start-from-queue/start-batch' | 'start-from-queue/hold';
  /** The text of the source that is replaced, which it has once. */
  readonly replaces: string;
  readonly by: string;
  /** The invariant that finds it. */
  readonly killedBy: string;
  /** What is explored to find it. @default - one message */
  readonly subject?: string;
  /** The difference in that subject. */
  readonly changes?: Partial<QueueSubject>;
  /** A trace that breaks it, if a search would take minutes. */
  readonly trace?: string;
}

const CHECK = 'check-message/check-batch';
const START = 'start-from-queue/start-batch';
const HOLD = 'start-from-queue/hold';

/** A message is received, and its execution is in its step. */
const STARTED = 'receive0 start0.start start0.hide-source start0.sendCheck return-start0 claim0';

/** Checks that hide the message again, each so many seconds after the one before. */
function checked(...seconds: readonly number[]): string {
  const check = 'check0 check0.read check0.describe check0.hide-source check0.hide-started return-check0';
  return seconds.map(each => `pass${each} ${check}`).join(' ');
}

/** A guard for each decision of the two functions. */
export const QUEUE_MUTATIONS: readonly QueueMutation[] = [
  {
    name: 'failed-is-finished',
    says: 'deletes a message whose step has failed',
    file: CHECK,
    replaces: 'owner === executionArn && status === STATUS.completed',
    by: '(status === STATUS.completed || status === STATUS.failed) && owner === executionArn',
    killedBy: 'onlyFinishedIsDeleted',
  },
  {
    name: 'released-is-finished',
    says: 'deletes a message whose key recovery has released',
    file: CHECK,
    replaces: 'owner === executionArn && status === STATUS.completed',
    by: '(status === STATUS.completed || status === STATUS.released) && owner === executionArn',
    killedBy: 'onlyFinishedIsDeleted',
  },
  {
    name: 'completed-by-any',
    says: 'deletes a message whose key another execution has finished, with another payload',
    file: CHECK,
    replaces: 'owner === executionArn && status === STATUS.completed',
    by: 'status === STATUS.completed',
    killedBy: 'onlyFinishedIsDeleted',
    subject: 'two payloads',
  },
  {
    name: 'ended-is-finished',
    says: 'deletes a message whose execution was stopped',
    file: CHECK,
    replaces: "statuses[0] === 'SUCCEEDED'",
    by: "statuses[0] !== 'RUNNING'",
    killedBy: 'onlyFinishedIsDeleted',
  },
  {
    name: 'deletes-before-the-check',
    says: 'deletes the message before it has read the record',
    file: CHECK,
    replaces: '    const found = await findingOf(',
    by: '    await services.remove(message.receiptHandle);\n    const found = await findingOf(',
    killedBy: 'onlyFinishedIsDeleted',
  },
  {
    name: 'succeeded-is-not-asked',
    says: 'leaves a message that the record has answered and whose record is gone',
    file: CHECK,
    replaces: "if (statuses[0] === 'SUCCEEDED') return { kind: 'finished' };",
    by: '',
    killedBy: 'receivesAreDue',
  },
  {
    name: 'failed-while-running',
    says: 'leaves a message whose execution is still sending its failure',
    file: CHECK,
    replaces:
      "if (statuses.some(one => one === 'RUNNING' || one === 'PENDING_REDRIVE')) return { kind: 'running' };",
    by: "if (status !== STATUS.failed && statuses.some(one => one === 'RUNNING' || one === 'PENDING_REDRIVE')) return { kind: 'running' };",
    killedBy: 'receivesAreDue',
    changes: { runSeconds: 150 },
  },
  {
    name: 'redrive-is-over',
    says: 'leaves a message whose execution is about to be redriven',
    file: CHECK,
    replaces: "one === 'RUNNING' || one === 'PENDING_REDRIVE'",
    by: "one === 'RUNNING'",
    killedBy: 'receivesAreDue',
    changes: { runSeconds: 150 },
  },
  {
    name: 'owner-is-not-asked',
    says: 'leaves a message whose execution was rejected while the owner is running',
    file: CHECK,
    replaces: 'const asked = isOthers ? [executionArn, owner] : [executionArn];',
    by: 'const asked = [executionArn];',
    killedBy: 'receivesAreDue',
    subject: 'two payloads',
    changes: { runSeconds: 150 },
  },
  {
    name: 'recovery-is-not-awaited',
    says: 'leaves a message as soon as its execution was stopped',
    file: CHECK,
    replaces: 'if (isUnfinished && mayBeRecovered)',
    by: 'if (false)',
    killedBy: 'receivesAreDue',
  },
  {
    name: 'unclaimed-is-over',
    says: 'leaves a message whose execution was stopped before its claim',
    file: CHECK,
    replaces: "record.status === undefined && ['ABORTED', 'TIMED_OUT']",
    by: "false && ['ABORTED', 'TIMED_OUT']",
    killedBy: 'receivesAreDue',
  },
  {
    name: 'counts-checks',
    says: 'waits for recovery for so many checks since the start, and not since the end of the owner',
    file: CHECK,
    replaces: 'ends.length > 0',
    by: 'false',
    killedBy: 'receivesAreDue',
    subject: 'early checks',
    changes: { runSeconds: 130 },
    trace: `${STARTED} ${checked(2, 2, 4, 8, 16, 32)} pass64 check0 check0.read abort0 check0.describe return-check0 pass60 receive0`,
  },
  {
    name: 'waits-for-recovery-forever',
    says: 'hides a message for good if recovery was lost',
    file: CHECK,
    replaces: 'if (isUnfinished && mayBeRecovered)',
    by: 'if (isUnfinished)',
    killedBy: 'idleComesBack',
    changes: { faults: 2 },
    trace: `${STARTED} abort0 lose-recovery0 ${checked(40, 40, 80, 160, 320, 640, 1280)} pass2560`,
  },
  {
    name: 'held-is-running',
    says: 'hides a message whose key is held for review',
    file: CHECK,
    replaces:
      "if (status === STATUS.held) return { kind: 'left', reason: `held for review: ${nameIn(error)}` };",
    by: "if (status === STATUS.held) return { kind: 'running' };",
    killedBy: 'overComesBack',
  },
  {
    name: 'hides-nothing',
    says: 'does not hide the message of a running execution',
    file: CHECK,
    replaces: "await services.hide('source', message.receiptHandle, seconds + CHECK_MARGIN_SECONDS)",
    by: 'true',
    killedBy: 'receivesAreDue',
  },
  {
    name: 'lost-when-hiding-fails',
    says: 'ends the check if SQS does not answer',
    file: CHECK,
    replaces: "    log('not checked', reasonOf(error));\n    return true;",
    by: "    log('not checked', reasonOf(error));\n    return false;",
    killedBy: 'faultsAreRepeated',
  },
  {
    name: 'checks-on',
    says: 'checks again by a receipt handle that the queue rejects',
    file: CHECK,
    replaces: 'if (!isHidden) return false;',
    by: '',
    killedBy: 'checksEnd',
  },
  {
    name: 'deletes-on',
    says: 'deletes again by a receipt handle that the queue rejects',
    file: CHECK,
    replaces: `log('finished, but not deleted', HANDLE_REJECTED);
        return false;`,
    by: `return true;
        return false;`,
    killedBy: 'checksEnd',
    subject: 'a FIFO queue',
  },
  {
    name: 'started-is-deleted',
    says: 'deletes a message when its execution has started',
    file: START,
    replaces: "    tell('started, but not held', reasonOf(error));\n  }\n  return true;",
    by: "    tell('started, but not held', reasonOf(error));\n  }\n  return false;",
    killedBy: 'onlyFinishedIsDeleted',
  },
  {
    name: 'unknown-start-is-deleted',
    says: 'deletes a message whose start was answered without an execution',
    file: START,
    replaces: 'if (duplicateOf !== undefined) return false;',
    by: 'if (duplicateOf !== undefined || executionArn === undefined) return false;',
    killedBy: 'onlyFinishedIsDeleted',
  },
  {
    name: 'keyless-is-deleted',
    says: 'deletes a message without a usable key',
    file: START,
    replaces: 'if (duplicateOf !== undefined) return false;',
    by: 'if (duplicateOf !== undefined || recordKey === undefined) return false;',
    killedBy: 'onlyFinishedIsDeleted',
    subject: 'no usable key',
  },
  {
    name: 'malformed-is-deleted',
    says: 'deletes a message that is not a JSON object',
    file: START,
    replaces: "if (started.kind === 'failed') return true;",
    by: "if (started.kind === 'failed') return false;",
    killedBy: 'onlyFinishedIsDeleted',
    subject: 'not a JSON object',
  },
  {
    name: 'duplicate-stays',
    says: 'leaves a message that the record has answered in the queue',
    file: START,
    replaces: 'if (duplicateOf !== undefined) return false;',
    by: 'if (duplicateOf !== undefined) return true;',
    killedBy: 'receivesAreDue',
    subject: 'a message sent twice',
  },
  {
    name: 'is-not-held',
    says: 'does not hide a started message until its check',
    file: START,
    replaces: '    await hold(receiptHandle, { messageId, receiptHandle, executionArn, recordKey });',
    by: '',
    killedBy: 'receivesAreDue',
  },
  {
    name: 'is-not-postponed',
    says: 'leaves a message that could not be started to the timeout of its queue',
    file: START,
    replaces:
      "await postpone(receiptHandle, seconds).catch(error => tell('not postponed', reasonOf(error)));",
    by: '',
    killedBy: 'startsAreSpread',
  },
  {
    name: 'lost-start-is-started',
    says: 'takes a start without an answer for one that was made',
    file: START,
    replaces: "    return { kind: 'notStarted', reason: reasonOf(error) };",
    by: "    return { kind: 'started', output: undefined };",
    killedBy: 'startsAreSpread',
  },
  {
    name: 'no-margin',
    says: 'hides a started message only until its check',
    file: HOLD,
    replaces: 'postpone(receiptHandle, seconds + CHECK_MARGIN_SECONDS)',
    by: 'postpone(receiptHandle, seconds)',
    killedBy: 'receivesAreDue',
  },
  {
    name: 'check-after-an-hour',
    says: 'asks SQS for a delay that it does not have',
    file: HOLD,
    replaces: 'Math.min(seconds, SQS_DELAY_SECONDS_MAX)',
    by: 'seconds',
    killedBy: 'receivesAreDue',
    subject: 'a step of an hour',
  },
];

const FOLDER = path.join(__dirname, '../../../functions');

/** The code with one of its sources changed. @throws Error if the source does not have the text once */
export function mutatedCode({ name, file, replaces, by }: QueueMutation): QueueCode {
  const sourcefile = path.join(FOLDER, `${file}.ts`);
  const parts = readFileSync(sourcefile, 'utf8').split(replaces);
  if (parts.length !== 2) throw new Error(`${name}: ${file} has the replaced text ${parts.length - 1} times`);
  const stdin = {
    contents: parts.join(by),
    resolveDir: path.dirname(sourcefile),
    sourcefile,
    loader: 'ts',
  } as const;
  const { outputFiles } = buildSync({ stdin, bundle: true, format: 'cjs', platform: 'node', write: false });
  const module = { exports: {} };
  new Function('module', 'exports', outputFiles[0]?.text ?? '')(module, module.exports);
  return { ...SHIPPED, ...module.exports };
}
