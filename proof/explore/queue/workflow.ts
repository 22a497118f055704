import {
  type Body,
  changed,
  type Execution,
  faulty,
  type KeyRecord,
  type QueueState,
  type QueueStep,
  type QueueSubject,
  withExecution,
} from './model';

/**
 * The workflow as the queue's functions see it: an execution and the record of its key. What the workflow does to get
 * there is explored with its definition.
 */
export function workflowSteps(subject: QueueSubject, state: QueueState): QueueStep[] {
  const { executions } = state;
  return executions.flatMap((execution, index) => [
    ...(execution.status === 'RUNNING' ? runningSteps(state, index, execution) : []),
    ...recoverySteps(subject, state, index, execution),
    ...(state.faults > 0 ? faults(subject, state, index, execution) : []),
  ]);
}

function runningSteps(state: QueueState, index: number, { phase }: Execution): QueueStep[] {
  if (phase === 'begun') return [{ name: `claim${index}`, after: claimed(state, index) }];
  const { record } = state;
  if (phase === 'working')
    return (['COMPLETED', 'FAILED'] as const).map(status => {
      const written = record && { ...record, status };
      const after = withExecution(state, index, { phase: 'written' });
      return {
        name: `${status.toLowerCase()}${index}`,
        after: { ...after, ...(written && { record: written }) },
      };
    });
  // It ends by what it has written.
  const status = record?.owner === index && record.status === 'COMPLETED' ? 'SUCCEEDED' : 'FAILED';
  return [{ name: `end${index}`, after: ended(state, index, status) }];
}

function ended(
  state: QueueState,
  index: number,
  status: Execution['status'],
  recovers: Pick<Execution, 'recoversWithin'> = {},
): QueueState {
  const executions = state.executions.map((execution, at) => {
    if (at !== index) return execution;
    const { endsWithin: _, ...others } = execution;
    return { ...others, status, endedFor: 0, ...recovers };
  });
  return { ...state, executions };
}

/** The outcome of the claim: the key is its own, or the record answers or rejects it. */
function claimed(state: QueueState, index: number): QueueState {
  const { record, executions } = state;
  const payload = executions[index]?.payload ?? 'malformed';
  const isRejected = payload === 'no key' || (record !== undefined && record.payload !== payload);
  if (isRejected || record?.status === 'HELD') return ended(state, index, 'FAILED');
  if (record?.status === 'COMPLETED') return ended(state, index, 'SUCCEEDED');
  if (record?.status === 'IN_PROGRESS') return recoveryStarted(ended(state, index, 'FAILED'), record.owner);
  const own = withExecution(state, index, { phase: 'working' });
  return { ...own, record: { status: 'IN_PROGRESS', owner: index, payload } };
}

/** A delivery that finds the key of an ended owner starts recovery, which acts at any time. */
function recoveryStarted(state: QueueState, owner: number): QueueState {
  const { status = 'RUNNING', recoversWithin } = state.executions[owner] ?? {};
  if (status === 'RUNNING' || recoversWithin !== undefined) return state;
  return withExecution(state, owner, { recoversWithin: RECOVERY_MARGIN_SECONDS });
}

/** How long after the step's time recovery has decided. */
const RECOVERY_MARGIN_SECONDS = 25;

/** What recovery decides about an execution that ended before its end was written. */
function recoverySteps(
  subject: QueueSubject,
  state: QueueState,
  index: number,
  execution: Execution,
): QueueStep[] {
  const { recoversWithin, phase, isReleased, payload } = execution;
  if (recoversWithin === undefined) return [];
  const { record } = state;
  const decided = withoutRecovery(state, index);
  const isDone = record?.status === 'COMPLETED' || record?.status === 'HELD';
  if (isReleased || (phase === 'begun' && !isDone)) {
    const redelivered = started(subject, decided, payload, { redeliveryOf: index });
    return [{ name: `deliver${index}`, after: redelivered.state }];
  }
  if (record?.owner !== index || record.status !== 'IN_PROGRESS')
    return [{ name: `leave${index}`, after: decided }];
  const decides = (status: KeyRecord['status'], of = decided) => ({ ...of, record: { ...record, status } });
  return [
    { name: `redrive${index}`, after: redriven(subject, decided, index) },
    {
      name: `release${index}`,
      after: decides('RELEASED', withExecution(state, index, { isReleased: true })),
    },
    { name: `hold${index}`, after: decides('HELD') },
    { name: `finish${index}`, after: decides('COMPLETED') },
  ];
}

function redriven(subject: QueueSubject, state: QueueState, index: number): QueueState {
  const executions = state.executions.map((execution, at): Execution => {
    if (at !== index) return execution;
    const { endedFor: _, ...others } = execution;
    return { ...others, status: 'RUNNING', isRedriven: true, ...endingIn(subject) };
  });
  return { ...state, executions };
}

function withoutRecovery(state: QueueState, index: number): QueueState {
  const executions = state.executions.map((execution, at) => {
    if (at !== index) return execution;
    const { recoversWithin: _, isReleased: __, ...others } = execution;
    return others;
  });
  return { ...state, executions };
}

function faults(subject: QueueSubject, state: QueueState, index: number, execution: Execution): QueueStep[] {
  const { status, phase, recoversWithin } = execution;
  // The message waits for it in vain, is received, starts recovery, and is received again when that has decided.
  if (recoversWithin !== undefined)
    return [{ name: `lose-recovery${index}`, after: faulty(withoutRecovery(state, index), 2) }];
  if (status !== 'RUNNING') return recordFaults(state, index);
  const isWritten = phase === 'written';
  const recovers = isWritten ? {} : { recoversWithin: subject.stepSeconds + RECOVERY_MARGIN_SECONDS };
  const aborted = faulty(ended(state, index, 'ABORTED', recovers), 0);
  // If it fails before its claim, nothing tells it from a rejected one, which costs a receive.
  const failed = faulty(ended(state, index, 'FAILED', recovers), phase === 'begun' ? 1 : 0);
  return [
    { name: `abort${index}`, after: aborted },
    ...(isWritten ? [] : [{ name: `break${index}`, after: failed }]),
  ];
}

/** An operator releases a key that is held; the retention of a finished one is over. */
function recordFaults(state: QueueState, index: number): QueueStep[] {
  const { record, ...without } = state;
  if (record?.owner !== index) return [];
  switch (record.status) {
    case 'HELD':
      return [
        {
          name: `operator-releases${index}`,
          after: faulty({ ...state, record: { ...record, status: 'RELEASED' } }),
        },
      ];
    case 'COMPLETED':
    case 'FAILED':
      return [{ name: `expire${index}`, after: faulty(without, 0) }];
    default:
      return [];
  }
}

const endingIn = ({ runSeconds }: QueueSubject) =>
  runSeconds === undefined ? {} : { endsWithin: runSeconds };

/** Another execution of the workflow. */
function started(
  subject: QueueSubject,
  state: QueueState,
  payload: Body,
  as: Partial<Execution>,
): { readonly state: QueueState; readonly execution: number } {
  const begun = { payload, isNamed: false, status: 'RUNNING', phase: 'begun' } as const;
  return {
    state: { ...state, executions: [...state.executions, { ...begun, ...endingIn(subject), ...as }] },
    execution: state.executions.length,
  };
}

/**
 * The work of the dispatcher for a delivery, in one step. It starts the execution with the name of the key. If that
 * execution is running and at work, or before its claim, the start finds it. Otherwise the record answers, or another
 * execution is started.
 */
export function dispatched(
  subject: QueueSubject,
  state: QueueState,
  index: number,
): { readonly state: QueueState; readonly output: Readonly<Record<string, string>> } {
  const { body, starts } = state.messages[index] ?? { body: 'malformed', starts: [] };
  const { record, executions } = state;
  const hasKey = body !== 'no key';
  const found = executions.findIndex(({ isNamed }) => isNamed);
  const named = hasKey ? executions[found] : undefined;
  const isRunning = named?.status === 'RUNNING' && named.payload === body;
  const mayClaim = record === undefined && named?.phase === 'begun';
  const isOwner = record?.status === 'IN_PROGRESS' && record.owner === found;
  const isAtWork = isRunning && (isOwner || mayClaim);
  if (named && !isAtWork && record?.status === 'COMPLETED' && record.payload === body) {
    const messages = changed(state.messages, index, { isFinished: true });
    return { state: { ...state, messages }, output: { duplicateOf: `arn:${record.owner}` } };
  }
  const after = isAtWork
    ? { state, execution: found }
    : started(subject, state, body, { isNamed: hasKey && !named });
  const { execution } = after;
  const isKnown = starts.some(one => one.execution === execution);
  const messages = changed(after.state.messages, index, {
    starts: isKnown ? starts : [...starts, { execution, isSpent: false }],
  });
  return {
    state: { ...after.state, messages },
    output: { executionArn: `arn:${execution}`, ...(hasKey && { recordKey: 'Pay#7' }) },
  };
}
