import { readFileSync } from 'node:fs';
import path from 'node:path';
import { buildSync } from 'esbuild';
import * as SHIPPED_RULES from '../../../state-machine/contract/message-rules';
import { type QueueCode, SHIPPED } from './code';
import type { QueueSubject } from './model';

/** A function of the queue with one guard taken away. */
export interface QueueMutation {
  readonly name: string;
  readonly says: string;
  readonly file: typeof CHECK | typeof RULES | typeof START | typeof HOLD;
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

const CHECK = 'functions/check-message/check-batch';
const RULES = 'state-machine/contract/message-rules';
const START = 'functions/start-from-queue/start-batch';
const HOLD = 'functions/start-from-queue/hold';

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
    file: RULES,
    replaces: 'all(IS_COMPLETED, IS_ITS_OWN)',
    by: 'all(any(IS_COMPLETED, IS_FAILED), IS_ITS_OWN)',
    killedBy: 'onlyFinishedIsDeleted',
  },
  {
    name: 'released-is-finished',
    says: 'deletes a message whose key recovery has released',
    file: RULES,
    replaces: 'all(IS_COMPLETED, IS_ITS_OWN)',
    by: 'all(any(IS_COMPLETED, IS_RELEASED), IS_ITS_OWN)',
    killedBy: 'onlyFinishedIsDeleted',
  },
  {
    name: 'completed-by-any',
    says: 'deletes a message whose key another execution has finished, with another payload',
    file: RULES,
    replaces: 'all(IS_COMPLETED, IS_ITS_OWN)',
    by: 'IS_COMPLETED',
    killedBy: 'onlyFinishedIsDeleted',
    subject: 'two payloads',
  },
  {
    name: 'ended-is-finished',
    says: 'deletes a message whose execution was stopped',
    file: RULES,
    replaces: "eq(ITS_STATUS, 'SUCCEEDED')",
    by: "negated(eq(ITS_STATUS, 'RUNNING'))",
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
    file: RULES,
    replaces: "eq(ITS_STATUS, 'SUCCEEDED')",
    by: 'negated(OTHERWISE)',
    killedBy: 'receivesAreDue',
  },
  {
    name: 'failed-while-running',
    says: 'leaves a message whose execution is still sending its failure',
    file: RULES,
    replaces: 'when: isIn(ITS_STATUS, RUNNING)',
    by: 'when: all(negated(IS_FAILED), isIn(ITS_STATUS, RUNNING))',
    killedBy: 'receivesAreDue',
    changes: { runSeconds: 150 },
  },
  {
    name: 'redrive-is-over',
    says: 'leaves a message whose execution is about to be redriven',
    file: RULES,
    replaces: "'RUNNING', 'PENDING_REDRIVE'",
    by: "'RUNNING'",
    killedBy: 'receivesAreDue',
    changes: { runSeconds: 150 },
  },
  {
    name: 'owner-is-not-asked',
    says: 'leaves a message whose execution was rejected while the owner is running',
    file: RULES,
    replaces: "verdict: 'askAboutBoth',",
    by: "verdict: 'askAboutIts',",
    killedBy: 'receivesAreDue',
    subject: 'two payloads',
    changes: { runSeconds: 150 },
  },
  {
    name: 'recovery-is-not-awaited',
    says: 'leaves a message as soon as its execution was stopped',
    file: RULES,
    replaces: 'all(any(IS_IN_PROGRESS, IS_RELEASED, WAS_STOPPED_UNCLAIMED), mayBeRecovered(v))',
    by: 'all(negated(OTHERWISE), mayBeRecovered(v))',
    killedBy: 'receivesAreDue',
  },
  {
    name: 'unclaimed-is-over',
    says: 'leaves a message whose execution was stopped before its claim',
    file: RULES,
    replaces: 'IS_RELEASED, WAS_STOPPED_UNCLAIMED)',
    by: 'IS_RELEASED)',
    killedBy: 'receivesAreDue',
  },
  {
    name: 'counts-checks',
    says: 'waits for recovery for so many checks since the start, and not since the end of the owner',
    file: RULES,
    replaces: '  return any(\n    all(exists(endedAgo)',
    by: '  return any(\n    all(negated(OTHERWISE)',
    killedBy: 'receivesAreDue',
    subject: 'early checks',
    changes: { runSeconds: 130 },
    trace: `${STARTED} ${checked(2, 2, 4, 8, 16, 32)} pass64 check0 check0.read abort0 check0.describe return-check0 pass60 receive0`,
  },
  {
    name: 'waits-for-recovery-forever',
    says: 'hides a message for good if recovery was lost',
    file: RULES,
    replaces: 'WAS_STOPPED_UNCLAIMED), mayBeRecovered(v))',
    by: 'WAS_STOPPED_UNCLAIMED))',
    killedBy: 'idleComesBack',
    changes: { faults: 2 },
    trace: `${STARTED} abort0 lose-recovery0 ${checked(40, 40, 80, 160, 320, 640, 1280)} pass2560`,
  },
  {
    name: 'held-is-running',
    says: 'hides a message whose key is held for review',
    file: RULES,
    replaces: "when: IS_HELD, verdict: 'leaveWithError'",
    by: "when: IS_HELD, verdict: 'hold'",
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

const ROOT = path.join(__dirname, '../../..');

/** The code with one of its sources changed. @throws Error if the source does not have the text once */
export function mutatedCode({ name, file, replaces, by }: QueueMutation): QueueCode {
  const parts = textOf(file).split(replaces);
  if (parts.length !== 2) throw new Error(`${name}: ${file} has the replaced text ${parts.length - 1} times`);
  const changed = loaded(file, parts.join(by), SHIPPED_RULES);
  if (file !== RULES) return { ...SHIPPED, ...changed };
  return { ...SHIPPED, ...loaded(CHECK, textOf(CHECK), changed) };
}

function textOf(file: QueueMutation['file']): string {
  return readFileSync(path.join(ROOT, `${file}.ts`), 'utf8');
}

/** What a source exports with this text, and with these rules of a message. */
function loaded(file: QueueMutation['file'], contents: string, rules: object): object {
  const sourcefile = path.join(ROOT, `${file}.ts`);
  const stdin = { contents, resolveDir: path.dirname(sourcefile), sourcefile, loader: 'ts' } as const;
  const settings = { bundle: true, format: 'cjs', platform: 'node', write: false } as const;
  const { outputFiles } = buildSync({ stdin, ...settings, external: [`../../${RULES}`] });
  const module = { exports: {} };
  const run = new Function('module', 'exports', 'require', outputFiles[0]?.text ?? '');
  run(module, module.exports, () => rules);
  return module.exports;
}
