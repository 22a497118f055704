import type { ActionItem, ShownRecord } from '@onceflow/console';
import { dangersOf, effectsOf, freeInWords } from '../../actions/release';
import { executionNameIn } from '../../arns';
import type { Workflow } from '../../aws/workflow';
import type { InputPath } from '../../definition/input-paths';
import type { JudgedKey } from '../../key/judge';
import type { FoundExecution } from '../../key/key-state';
import { planRedrive } from '../../key/operator/redrive-plan';
import { redriveRejection, releaseRejection } from '../../key/operator/rejections';
import { planRelease } from '../../key/operator/release-plan';
import { beforeReservation } from '../../key/operator/reservation';
import { isHeld, type KeyRecord } from '../../key/record';
import { nextDeliveryInWords } from '../../key/what-is-next';

const OTHER_RECORD = 'the owner, attempt, status or error of the record has changed since it was shown';

/**
 * What a person may do about a key, each as the command of the command line does it, with what that would come to now.
 * What takes force is an action of its own, and there only where the plain one is rejected.
 */
export function keyActions(judged: JudgedKey, executions: readonly FoundExecution[]): readonly ActionItem[] {
  return [
    ...completions(judged),
    ...redrives(judged),
    ...releases(judged),
    ...stops(judged),
    ...deliveries(judged, executions),
  ];
}

function redrives(judged: JudgedKey): readonly ActionItem[] {
  const { record } = judged;
  if (record === undefined) return [];
  const plain = redriveOf(judged, record, false);
  const isForcible = planRedrive(judged, { isForced: true }).kind === 'ready';
  return plain.rejection !== null && isForcible ? [plain, redriveOf(judged, record, true)] : [plain];
}

function redriveOf(judged: JudgedKey, record: KeyRecord, isForced: boolean): ActionItem {
  const plan = planRedrive(judged, { isForced });
  const isWithin = judged.stoppedAt === 'within';
  return {
    title: isForced ? 'Redrive the execution by force' : 'Redrive the execution',
    rank: isForced ? 'rare' : 'recommended',
    writes: [
      `calls RedriveExecution for ${executionNameIn(record.owner)}`,
      'the execution resumes where it stopped, and writes the record',
    ],
    dangers: isWithin ? ['it stopped within its step: the step runs again'] : [],
    rejectedIf: [
      OTHER_RECORD,
      'the owner is running, or its step might still be running',
      'it was already redriven: Step Functions runs only one of two redrives with the same token',
    ],
    rejection: plan.kind === 'ready' ? null : redriveRejection(judged, plan.reason),
    fields: [],
    request: { ...keyOfAction(judged), action: 'redrive', isForced, shown: shownOf(record) },
  };
}

function releases(judged: JudgedKey): readonly ActionItem[] {
  const { record } = judged;
  if (record === undefined) return [];
  return [false, true].flatMap(isDeleted => {
    const plain = releaseOf(judged, record, { isForced: false, isDeleted });
    if (plain.rejection === null) return [plain];
    const isForcible = planRelease(judged, { isForced: true, isDeleted }).kind === 'ready';
    return isForcible ? [plain, releaseOf(judged, record, { isForced: true, isDeleted })] : [plain];
  });
}

function releaseOf(
  judged: JudgedKey,
  record: KeyRecord,
  options: { readonly isForced: boolean; readonly isDeleted: boolean },
): ActionItem {
  const plan = planRelease(judged, options);
  const isReady = plan.kind === 'ready';
  const what = options.isDeleted ? 'Release the key, and forget it' : 'Release the key';
  return {
    title: options.isForced ? `${what}, by force` : what,
    rank: options.isForced || options.isDeleted ? 'rare' : 'danger',
    writes: isReady ? effectsOf(plan) : [],
    dangers: isReady ? dangersOf(plan) : [],
    rejectedIf: [
      OTHER_RECORD,
      'the owner is running, might still be running, or is resumed before the record is written',
    ],
    rejection: isReady
      ? null
      : plan.kind === 'free'
        ? `it is already free: ${freeInWords(judged, plan.reason)}`
        : releaseRejection(judged, plan.reason),
    fields: [],
    request: { ...keyOfAction(judged), action: 'release', ...options, shown: shownOf(record) },
  };
}

/** Only a held key has this action: the step has taken effect, and its result is known. */
function completions(judged: JudgedKey): readonly ActionItem[] {
  const { record, workflow } = judged;
  if (record === undefined || !isHeld({ ...record, ...beforeReservation(record) }, workflow)) return [];
  const completion = { result: '…', reason: '…', by: 'you' };
  const plan = planRelease(judged, { isForced: false, isDeleted: false, completion });
  const isReady = plan.kind === 'ready';
  return [
    {
      title: 'Complete the key',
      rank: 'recommended',
      writes: isReady ? effectsOf(plan) : [],
      dangers: isReady ? dangersOf(plan) : [],
      rejectedIf: [
        OTHER_RECORD,
        'the owner is running, might still be running, or is resumed before the write',
      ],
      rejection: plan.kind === 'rejected' ? releaseRejection(judged, plan.reason) : null,
      fields: [
        { name: 'result', label: 'Result of the step', kind: 'json', value: '' },
        { name: 'reason', label: 'How you know', kind: 'line', value: '' },
      ],
      request: { ...keyOfAction(judged), action: 'complete', shown: shownOf(record) },
    },
  ];
}

function stops({ owner, record }: JudgedKey): readonly ActionItem[] {
  return owner.kind === 'running' && record !== undefined ? stopActions(record.owner, 'the owner') : [];
}

/** Stops an execution that runs: so that recovery redrives it, or leaves it alone. */
export function stopActions(executionArn: string, what: string): readonly ActionItem[] {
  const name = executionNameIn(executionArn);
  const stop = { executionArn, action: 'stop' } as const;
  const common = {
    rank: 'rare',
    dangers: ['a function that it has called keeps running: Step Functions cannot stop that'],
    rejectedIf: ['it has ended in the meantime'],
    rejection: null,
    fields: [],
  } as const;
  return [
    {
      ...common,
      title: `Stop ${what}`,
      writes: [
        `calls StopExecution for ${name}: the record stays as it is`,
        'a redrive, the next delivery of its key, or recovery can resume it where it stopped',
      ],
      request: { ...stop, isForGood: false },
    },
    {
      ...common,
      title: `Stop ${what} for good`,
      writes: [
        `calls StopExecution for ${name} with an error that keeps recovery from it: the record stays as it is`,
        'only a redrive, or the next delivery of its key, can resume it',
      ],
      request: { ...stop, isForGood: true },
    },
  ];
}

/** The owner's input has the payload that the record was claimed with; without one, the first that came. */
function deliveries(judged: JudgedKey, executions: readonly FoundExecution[]): readonly ActionItem[] {
  const { record, workflow } = judged;
  const owners = executions.find(({ executionArn }) => executionArn === record?.owner);
  const { executionArn, description } = owners ?? executions[0] ?? {};
  if (executionArn === undefined) return [];
  const next = record ? nextDeliveryInWords(judged, record) : 'the next delivery claims the key';
  return [
    {
      title: 'Deliver again',
      rank: 'usual',
      writes: [
        `calls StartExecution of ${workflow.name}, with a new name`,
        `has the input of ${executionNameIn(executionArn)}`,
        `counts as the next delivery: ${next.replace(/^the next delivery /, 'it ')}`,
      ],
      dangers: [],
      rejectedIf: ['an execution of the same delivery has already ended without succeeding'],
      rejection: deliveryRejection(workflow, description?.input),
      fields: [],
      request: { ...keyOfAction(judged), action: 'deliver', executionArn },
    },
  ];
}

/** Starts the workflow for a key, as `onceflow start` does. */
export function startAction({ name, scope, prefix, keyPaths, table }: Workflow): ActionItem {
  return {
    title: 'Start',
    rank: 'usual',
    writes: [
      `calls StartExecution of ${name}, under the name of the key`,
      `counts as a delivery: it claims the key in ${table}, as ${scope}#KEY, and runs the step, or gets the stored answer`,
    ],
    dangers: [],
    rejectedIf: [
      'the input has no key where the workflow reads it, or a different key',
      'the key was used before with another payload',
    ],
    rejection: prefix === '' ? null : deliveryRejection({ prefix, name }, undefined),
    fields: [
      { name: 'key', label: 'Key', kind: 'line', value: '' },
      { name: 'form', label: 'The key is', kind: 'choice', value: 'text', choices: KEY_FORMS },
      { name: 'input', label: 'Input', kind: 'json', value: JSON.stringify(inputWith(keyPaths), null, 2) },
    ],
    request: { action: 'start', workflow: name },
  };
}

const KEY_FORMS = [
  ['text', 'a text'],
  ['number', 'a whole number'],
  ['json', 'JSON, such as ["shop-1",4711]'],
] as const;

/** An input with the paths of the key in it. */
function inputWith(paths: readonly InputPath[] = []): object {
  const input: Nested = {};
  for (const path of paths) {
    let at = input;
    for (const name of path.slice(0, -1)) {
      const inner = at[name];
      const next = typeof inner === 'object' ? inner : {};
      at[name] = next;
      at = next;
    }
    at[path.at(-1) ?? 'key'] ??= '';
  }
  return input;
}

interface Nested {
  [name: string]: Nested | string;
}

/** Why an input is not delivered again; null where it can be. */
export function deliveryRejection(
  { prefix, name }: Pick<Workflow, 'prefix' | 'name'>,
  input: string | undefined,
): string | null {
  if (prefix !== '') return `${name} contains more than this workflow, so start it as your application does`;
  return input === undefined ? 'Step Functions does not return the input of that execution' : null;
}

function keyOfAction({ workflow, key }: JudgedKey) {
  return { workflow: workflow.name, key: key.text };
}

function shownOf({ owner, attempt, status, error }: KeyRecord): ShownRecord {
  return { owner, attempt, status, error: error ?? null };
}
