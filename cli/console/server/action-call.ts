import type { ActionCall, ActionRequest } from '@onceflow/console';

type Kind = 'text' | 'flag' | 'record' | 'keys';

/** So many keys are chosen at most. */
const KEYS_MAX = 500;

/** The required members of each request. */
const MEMBERS: Readonly<Record<ActionRequest['action'], Readonly<Record<string, Kind>>>> = {
  redrive: { workflow: 'text', key: 'text', isForced: 'flag', shown: 'record' },
  release: { workflow: 'text', key: 'text', isForced: 'flag', isDeleted: 'flag', shown: 'record' },
  complete: { workflow: 'text', key: 'text', shown: 'record' },
  stop: { executionArn: 'text', isForGood: 'flag' },
  deliver: { workflow: 'text', key: 'text', executionArn: 'text' },
  start: { workflow: 'text' },
  resend: { workflow: 'text', queue: 'text', messageId: 'text' },
  redeliver: { keys: 'keys', isPlan: 'flag' },
  resendAll: { workflow: 'text', queue: 'text', reason: 'text' },
  sendEvent: {},
  skipTime: {},
  armFault: { stateMachine: 'text' },
  disarmFault: { id: 'text' },
};

/** The action that a page has sent; undefined for a body that our page does not send. */
export function actionCallIn(body: string): ActionCall | undefined {
  const call = parsed(body);
  if (!isObject(call) || !isObject(call['request']) || !isObject(call['values'])) return undefined;
  const { request, values, once } = call;
  if (typeof once !== 'string' || once === '' || once.length > 100) return undefined;
  if (!Object.values(values).every(value => typeof value === 'string')) return undefined;
  const { action } = request;
  if (typeof action !== 'string' || !Object.hasOwn(MEMBERS, action)) return undefined;
  const members = Object.entries(MEMBERS[action as ActionRequest['action']]);
  const isWhole = members.every(([name, kind]) => isOf(kind, request[name]));
  return isWhole ? (call as unknown as ActionCall) : undefined;
}

function isOf(kind: Kind, value: unknown): boolean {
  if (kind === 'text') return typeof value === 'string';
  if (kind === 'flag') return typeof value === 'boolean';
  if (kind === 'keys')
    return Array.isArray(value) && value.length > 0 && value.length <= KEYS_MAX && value.every(isChosenKey);
  if (!isObject(value)) return false;
  const { owner, status, attempt, error } = value;
  const isError = error === null || typeof error === 'string';
  return typeof owner === 'string' && typeof status === 'string' && typeof attempt === 'number' && isError;
}

function isChosenKey(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { workflow, key, executionArn } = value;
  const isExecution = executionArn === null || typeof executionArn === 'string';
  return typeof workflow === 'string' && typeof key === 'string' && isExecution;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
