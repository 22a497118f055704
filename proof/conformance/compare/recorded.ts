import type {
  ApiCase,
  CallStep,
  CaseBase,
  Expected,
  HistoryOrder,
  RecordedEvent,
  RecordedWhen,
} from '../cases/recorded-case';
import { type References, resolveText } from '../cases/references';
import type { Difference } from './difference';
import { compareHistory } from './history';
import { ignoring } from './ignored';
import { Placeholders } from './placeholders';
import { compareValue, differing, type Terms } from './value';

/** What an execution came to. `output` is its JSON text. */
export interface ActualExecution {
  readonly status?: string;
  readonly output?: string;
  readonly error?: string;
  readonly cause?: string;
  readonly history?: readonly RecordedEvent[];
  /** What `expected` names beside the execution itself, as far as it can be observed. */
  readonly other?: Readonly<Record<string, unknown>>;
}

/** What a call was answered with. */
export type Answer =
  | { readonly kind: 'response'; readonly response: unknown }
  | { readonly kind: 'error'; readonly code: string; readonly message: string };

/** What holds for all comparisons of a case. */
export type CaseTerms = Pick<CaseBase, 'placeholders' | 'ignore' | 'recorded'>;

/** The parts of an execution that are compared. */
export interface ExecutionTerms extends CaseTerms {
  readonly expected: Expected;
  readonly historyOrder: HistoryOrder;
}

/** The first difference of an execution from its recording. */
export function compareExecution(
  recorded: ExecutionTerms,
  actual: ActualExecution,
  references: References = new Map(),
): Difference | undefined {
  const { expected } = recorded;
  const terms = termsOf(recorded, references);
  // Of some executions only what they left behind was recorded, not how they ended.
  const fields = expected.status === undefined && expected.other ? [] : FIELDS;
  for (const field of fields) {
    const difference = compareField(terms, expected, actual, field);
    if (difference) return difference;
  }
  for (const [name, wanted] of besides(expected)) {
    const location = { path: `/${name}`, member: name };
    const found = withoutMetadata(actual.other?.[name]);
    const difference = compareValue(terms, onceEach(withoutMetadata(wanted)), found, location);
    if (difference) return difference;
  }
  if (!expected.history) return undefined;
  const history = asSince(expected.history, recorded.recorded);
  return compareHistory(terms, history, actual.history, recorded.historyOrder);
}

/** The first difference of the answers from the recorded ones; one answer per call, none for steps that wait. */
export function compareCalls(
  recorded: CaseTerms & Pick<ApiCase, 'calls' | 'independentCalls'>,
  answers: readonly (Answer | undefined)[],
  references: References = new Map(),
): Difference | undefined {
  let terms = termsOf(recorded, references);
  for (const [index, call] of recorded.calls.entries()) {
    if (recorded.independentCalls) terms = termsOf(recorded, references);
    if ('await' in call || call.error?.type === PARAMETER_ERROR) continue;
    const unanswered = unansweredCall(call, answers[index], `/calls/${index}`);
    if (unanswered) return unanswered;
    if (call.responseNotRecorded) continue;
    const difference = call.error
      ? compareError(terms, call.error, answers[index], `/calls/${index}`)
      : compareResponse(terms, call.response, answers[index], `/calls/${index}`);
    if (difference) return difference;
  }
  return undefined;
}

/** Raised by the recorder's SDK before any request was sent: the service never saw the call. */
export const PARAMETER_ERROR = 'ParamValidationError';

/** How long something took is not part of a recording. */
const TIMING = ['**/billedDurationInMilliseconds'];

const FIELDS = ['status', 'output', 'error', 'cause'] as const;

function termsOf(recorded: CaseTerms, references: References): Terms {
  const bindings = Object.entries(recorded.placeholders).flatMap(([name, { equals }]) => {
    const text = equals === undefined ? undefined : resolveText(equals, references);
    return text === undefined || text.includes('${') ? [] : [[name, text] as const];
  });
  const placeholders = new Placeholders(recorded.placeholders, new Map(bindings));
  const { ignore, recorded: when } = recorded;
  return { placeholders, isIgnored: ignoring([...ignore, ...TIMING]), isAddition: additionsSince(when) };
}

function compareField(
  terms: Terms,
  expected: Expected,
  actual: ActualExecution,
  field: (typeof FIELDS)[number],
): Difference | undefined {
  const location = { path: `/${field}`, member: field };
  const found = actual[field];
  const isRecorded = field in expected;
  if (!isRecorded && field !== 'status' && found !== undefined) {
    return differing(location, 'is too many', undefined, found);
  }
  if (!isRecorded) return undefined;
  if (found === undefined) return differing(location, 'is missing', expected[field]);
  if (field === 'output' && saysTheSame(terms, expected.output, found)) return undefined;
  return compareValue(terms, expected[field], found, location);
}

/** The output is JSON text; what was recorded is its value, or a text that was the value. */
function saysTheSame(terms: Terms, expected: unknown, text: string): boolean {
  const bindings = terms.placeholders.save();
  const location = { path: '/output', member: 'output' };
  const isSame = compareValue(terms, expected, JSON.parse(text), location) === undefined;
  if (!isSame) terms.placeholders.restore(bindings);
  return isSame;
}

/** EventBridge delivers at least once: what was recorded twice, id and all, is one event. */
function onceEach(recorded: unknown): unknown {
  if (!Array.isArray(recorded)) return recorded;
  const texts = recorded.map(item => JSON.stringify(item));
  return recorded.filter((_, index) => texts.indexOf(texts[index] ?? '') === index);
}

/** The observations that were recorded beside the execution and are possible here. */
function besides(expected: Expected): [string, unknown][] {
  const { startSyncExecutionResponse, endLogEvent, other } = expected;
  const responses = {
    ...(startSyncExecutionResponse !== undefined && { startSyncExecutionResponse }),
    ...(endLogEvent !== undefined && { endLogEvent }),
  };
  return Object.entries({ ...responses, ...other }).filter(([name]) => OBSERVABLE.has(name));
}

/** Side effects and responses that the runner can observe. */
export const OBSERVABLE: ReadonlySet<string> = new Set([
  'describeExecution',
  'endLogEvent',
  'eventBridgeEvents',
  'loggedEvents',
  'startSyncExecutionResponse',
]);

/** The recorder's SDK adds how the request went to every response. */
function withoutMetadata(response: unknown): unknown {
  if (typeof response !== 'object' || response === null || Array.isArray(response)) return response;
  return Object.fromEntries(Object.entries(response).filter(([name]) => name !== 'ResponseMetadata'));
}

/** A call whose answer is not known was answered on the service all the same: the operation is there. */
function unansweredCall(
  { op, response, error, responseNotRecorded }: CallStep,
  answer: Answer | undefined,
  path: string,
): Difference | undefined {
  if (answer?.kind !== 'error' || error !== undefined || response !== undefined) return undefined;
  const isRejection = !responseNotRecorded || answer.code === 'UnknownOperationException';
  return isRejection ? differing({ path, member: '' }, `is an error (${op})`, undefined, answer) : undefined;
}

function compareError(
  terms: Terms,
  expected: { readonly code?: string; readonly message?: string; readonly notRecorded?: boolean },
  answer: Answer | undefined,
  path: string,
): Difference | undefined {
  const location = { path, member: '' };
  if (answer?.kind !== 'error') return differing(location, 'is no error', expected, answer?.response);
  if (expected.notRecorded) return undefined;
  for (const member of ['code', 'message'] as const) {
    if (expected[member] === undefined) continue;
    const at = { path: `${path}/error/${member}`, member };
    const difference = compareValue(terms, expected[member], answer[member], at);
    if (difference) return difference;
  }
  return undefined;
}

function compareResponse(
  terms: Terms,
  expected: unknown,
  answer: Answer | undefined,
  path: string,
): Difference | undefined {
  if (expected === undefined) return undefined;
  if (answer?.kind === 'error') return differing({ path, member: '' }, 'is an error', expected, answer);
  const location = { path: `${path}/response`, member: '' };
  return compareValue(terms, withoutMetadata(expected), withoutMetadata(answer?.response), location);
}

/**
 * Members that the service has begun to send since some recordings were made, and when. Their absence from an older
 * recording says nothing about what it would answer today.
 */
const ADDED_ON: Readonly<Record<string, string>> = {
  encryptionConfiguration: '2024-07-25',
  failuresNotRedrivable: '2023-11-15',
  pendingRedrive: '2023-11-15',
  redriveCount: '2023-11-15',
  redriveStatus: '2023-11-15',
  redriveStatusReason: '2023-11-15',
  RedriveCount: '2023-11-15',
  RedriveStatus: '2023-11-15',
  RedriveStatusReason: '2023-11-15',
};

/** Since then the exit of a distributed Map follows the start of its Map Run; before, it followed the run's success. */
const EXIT_FOLLOWS_START_ON = '2024-11-01';

/** A history as the service would write it today, as far as it is known to have changed since. */
function asSince(history: readonly RecordedEvent[], recorded: RecordedWhen = {}): readonly RecordedEvent[] {
  const { lastValidated = isoDate(recorded.date) } = recorded;
  if (lastValidated === undefined || lastValidated >= EXIT_FOLLOWS_START_ON) return history;
  return history.map(event => {
    const before = history.find(({ id }) => id === event.previousEventId);
    const isOlder = event.type === 'MapStateExited' && before?.type === 'MapRunSucceeded';
    return isOlder ? { ...event, previousEventId: before.previousEventId ?? null } : event;
  });
}

/** Whether the service began to send a member after the recording. Without a date, it did for no member. */
export function additionsSince(recorded: RecordedWhen = {}): (member: string) => boolean {
  const { lastValidated = isoDate(recorded.date) } = recorded;
  if (lastValidated === undefined) return () => false;
  return member => Object.hasOwn(ADDED_ON, member) && lastValidated < (ADDED_ON[member] ?? '');
}

function isoDate(date: string | undefined): string | undefined {
  const [, day, month, year] = /^(\d\d)-(\d\d)-(\d{4})/.exec(date ?? '') ?? [];
  return year === undefined ? undefined : `${year}-${month}-${day}`;
}
