import { executionNameIn } from '../arns';
import { table } from '../layout';
import type { Style } from '../terminal';
import { plural, printable } from '../text';
import type { LeftReason, NotPlanned, Planned } from './redelivery-plan';

/** For scripts: a key that is left alone. */
export function describeUnknown({ recordKey, executions }: NotPlanned) {
  const reason: LeftReason = 'noRecord';
  const errors = [...new Set(executions.map(({ error }) => error))];
  const arns = executions.map(({ executionArn }) => executionArn);
  return { recordKey, status: null, action: 'leave', reason, errors, executions: arns };
}

/** The same for people. */
export function inWords({ recordKey }: NotPlanned): string {
  return `${printable(recordKey)} is left alone, because the item of this key is not a record`;
}

/** For scripts: what is planned about a key. */
export function describePlanned({ judged, executions, plan }: Planned) {
  return {
    recordKey: judged.recordKey,
    status: judged.record?.status ?? null,
    action: plan.kind,
    ...(plan.kind === 'leave' && { reason: plan.reason }),
    ...(plan.kind === 'leave' && plan.until !== undefined && { until: new Date(plan.until).toISOString() }),
    errors: [...new Set(executions.map(({ error }) => error))],
    executions: executions.map(({ executionArn }) => executionArn),
  };
}

const TITLES = ['key', 'status', 'error', 'action'] as const;

/** The work, a row for each key. */
export function tableOf(style: Style, planned: readonly Planned[]): string {
  const rows = planned.map(({ judged, executions, plan }) => [
    printable(judged.key.text),
    printable(judged.record?.status ?? 'no record'),
    printable(executions[0]?.error ?? ''),
    plan.kind === 'deliver'
      ? `redelivers ${printable(executionNameIn(plan.execution.executionArn))}`
      : `redrives ${printable(executionNameIn(judged.record?.owner ?? ''))}`,
  ]);
  const columns = TITLES.map((title, index) => ({
    title,
    values: rows.map(row => row[index] ?? ''),
    isElastic: title !== 'status',
  }));
  return table(style, columns);
}

const LEFT_IN_WORDS: Readonly<Record<LeftReason, string>> = {
  finished: 'finished since',
  running: 'running',
  reserved: 'reserved by an operator: `onceflow show KEY` says by whom, and what continues it',
  mayStillWork: 'whose step might still be running; `onceflow show KEY` says until when',
  noRecord: 'with an item that is not a record',
  rejected: 'rejected because of their input',
  failureIsAnswer: 'failed, and duplicates get the failure',
  redrivesExhausted: 'out of redrives: see `onceflow show KEY`',
  needsRelease: 'whose owner cannot be redriven: see `onceflow release`',
  inDoubt: 'held for review',
  stopped: 'stopped for good',
  foreign: "another workflow's",
  recordGone: 'whose record was deleted',
  ownStateMachine: 'in your own state machine: start it there',
  inputUnknown: 'whose input Step Functions does not return',
  unknown: 'without a record and a known execution: check the key with `onceflow show KEY`',
};

/** How many keys there are, and why the others are left alone. */
export function summaryOf(planned: readonly Planned[], ready: number, keyless: number): string {
  const reasons = new Map<LeftReason, number>();
  for (const { plan } of planned) {
    if (plan.kind === 'leave') reasons.set(plan.reason, (reasons.get(plan.reason) ?? 0) + 1);
  }
  const beyond = planned.filter(({ plan }) => plan.kind !== 'leave').length - ready;
  const left = [...reasons].map(([reason, count]) => `${count} ${LEFT_IN_WORDS[reason]}`);
  return [
    `${plural(planned.length, 'key')}${planned.every(({ executions }) => executions.length > 0) ? ' with executions that ended without succeeding' : ''}`,
    ...left,
    ...(beyond > 0 ? [`${beyond} beyond --limit`] : []),
    ...(keyless > 0 ? [`${plural(keyless, 'execution')} without a usable key`] : []),
  ].join('; ');
}
