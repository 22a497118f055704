import type { ActionCall, ActionOutcome, ActionRequest, ShownRecord } from '@onceflow/console';
import type { Answer, CommandContext } from '../../actions/answer';
import { redriveKey } from '../../actions/redrive';
import { releaseAsShown } from '../../actions/release';
import { startKey } from '../../actions/start';
import { stopExecution } from '../../actions/stop';
import { deadLetterQueueOf } from '../../aws/dead-letter-queue';
import { describe } from '../../aws/executions';
import type { WorkflowAccess } from '../../aws/workflow';
import { type Key, keyOf } from '../../key/input/key';
import { resultText } from '../../key/operator/completion';
import { operatorName } from '../../key/operator/reservation';
import type { RecordState } from '../../key/record';
import { Rejection, usage } from '../../program/rejection';
import { completeKeys, planKeys } from '../../repair/complete-keys';
import { resendAll } from '../../repair/resend-all';
import { resendOne } from '../../repair/resend-message';
import { startAgain } from '../../repair/start-again';
import { PLAIN, type Terminal } from '../../terminal';
import { plural, printable } from '../../text';
import { accessTo, allAccesses, type Connection } from '../connection';
import { deliveryRejection } from './key-actions';
import { actLocally } from './local-actions';
import { ON_PAGE } from './start-words';

/**
 * Does what the page asks for, as the command of the command line does it. A rejection is an outcome, too.
 *
 * @throws what is an internal error
 */
export async function act(connection: Connection, call: ActionCall): Promise<ActionOutcome> {
  try {
    return { kind: 'done', text: await perform(connection, call) };
  } catch (error) {
    if (error instanceof Rejection) return { kind: 'rejected', text: error.message };
    throw error;
  }
}

async function perform(connection: Connection, { request, values, once }: ActionCall): Promise<string> {
  switch (request.action) {
    case 'stop':
      return said(await stopExecution(connection.aws, request.executionArn, request.isForGood));
    case 'redrive': {
      const { key, shown, isForced } = request;
      const context = await contextOf(connection, request);
      return said(await redriveKey(context, { key: recorded(key), isForced }, stateOf(shown)));
    }
    case 'release': {
      const { key, shown, isForced, isDeleted } = request;
      const context = await contextOf(connection, request);
      const options = { key: recorded(key), isForced, isDeleted };
      return said(await releaseAsShown(context, options, stateOf(shown)));
    }
    case 'complete': {
      const { key, shown } = request;
      const { result = '', reason = '' } = values;
      if (reason.trim() === '')
        throw usage('a completion needs a reason: how you know that the step took effect');
      const completion = { result: resultText(result), reason, by: operatorName() };
      const options = { key: recorded(key), completion, isForced: false, isDeleted: false };
      return said(await releaseAsShown(await contextOf(connection, request), options, stateOf(shown)));
    }
    case 'deliver':
      return deliver(await contextOf(connection, request), request, once);
    case 'start':
      return startWorkflow(await contextOf(connection, request, values['input']), values);
    case 'redeliver':
      return redeliverChosen(connection, request);
    case 'resendAll': {
      const context = await contextOf(connection, request);
      const queue = await deadLetterQueueOf(context, request.queue, false);
      const accesses = await allAccesses(connection);
      const wanted = { perSecond: PER_SECOND, isForced: false, reason: request.reason, accesses };
      const { resent, left, endedBy } = await resendAll(context, queue, queue.waiting, wanted);
      const stay = left.map(({ messageId, problem }) => `${messageId} stays: ${problem}`);
      const sentence = `${plural(resent.length, 'message')} resent`;
      return [sentence, ...stay, ...(endedBy === undefined ? [] : [endedBy])].join('\n');
    }
    case 'resend': {
      const to = await resendOne(
        await accessTo(connection, request.workflow),
        request.queue,
        request.messageId,
      );
      return `it was accepted by ${printable(to)}`;
    }
    case 'sendEvent':
    case 'skipTime':
    case 'armFault':
    case 'disarmFault':
      return actLocally(connection.local?.(), request, values);
    default:
      return request satisfies never;
  }
}

async function startWorkflow(
  context: CommandContext,
  values: Readonly<Record<string, string>>,
): Promise<string> {
  const wanted = { key: keyInForm(values), input: '-', waitMs: undefined, isForced: false };
  return said(await startKey(context, wanted, ON_PAGE));
}

async function deliver(
  access: WorkflowAccess,
  { key, executionArn }: ActionRequest & { action: 'deliver' },
  once: string,
): Promise<string> {
  const { aws, workflow } = access;
  const own = workflow.stateMachineArn.replace(':stateMachine:', ':execution:');
  if (!executionArn.startsWith(`${own}:`))
    throw new Rejection(`${executionArn} is not an execution of ${workflow.name}`);
  const description = await describe(aws, executionArn);
  if (description === undefined) throw new Rejection(`there is no execution ${executionArn}`);
  const { input } = description;
  const rejection = deliveryRejection(workflow, input);
  if (rejection !== null) throw new Rejection(rejection);
  return startAgain(access, { keyText: key, input, once });
}

/** Keys and messages a second. */
const PER_SECOND = 20;

/** Plans what is done about the keys that were chosen, workflow by workflow, and does it unless only the plan is asked. */
async function redeliverChosen(
  connection: Connection,
  { keys, isPlan }: ActionRequest & { action: 'redeliver' },
): Promise<string> {
  const texts: string[] = [];
  for (const workflow of new Set(keys.map(key => key.workflow))) {
    const context = await contextOf(connection, { workflow });
    const own = keys.filter(key => key.workflow === workflow && key.key !== '');
    const wanted = own.map(({ key, executionArn }) => ({
      key: recorded(key),
      executionArn: executionArn ?? undefined,
    }));
    const planned = await planKeys(context, wanted);
    const how = { limit: planned.length, perSecond: PER_SECOND, isConfirmed: true, isDryRun: isPlan };
    texts.push(`${context.workflow.scope}:\n${said(await completeKeys(context, planned, how))}`);
  }
  const keyless = keys.filter(({ key }) => key === '').length;
  if (keyless > 0)
    texts.push(`${plural(keyless, 'delivery', 'deliveries')} without a usable key: left alone`);
  return texts.join('\n\n');
}

/** The environment of a command whose question was answered before. */
async function contextOf(
  connection: Connection,
  { workflow }: { readonly workflow: string },
  input = '',
): Promise<CommandContext> {
  const terminal: Terminal = {
    style: PLAIN,
    progress: () => undefined,
    say: () => undefined,
    isAttended: false,
    confirm: () => Promise.resolve(false),
    readInput: () => Promise.resolve(input),
  };
  return { ...(await accessTo(connection, workflow)), terminal };
}

function said(answer: Answer): string {
  return answer.text(PLAIN).trimEnd();
}

function recorded(text: string): Key {
  return keyOf({ parts: [text], isNumber: false, isRecorded: true, json: undefined });
}

/** The key that the form names. @throws Rejection in the form's words */
function keyInForm({ key = '', form = 'text' }: Readonly<Record<string, string>>): Key {
  const named = { isNumber: form === 'number', isRecorded: false };
  if (form === 'number' && !/^-?\d+$/.test(key))
    throw usage(`the key ${JSON.stringify(key)} is not a whole number`);
  if (form !== 'json') return keyOf({ ...named, parts: [key], json: undefined });
  if (!isJson(key)) throw usage('the key is not JSON, such as ["shop-1",4711]');
  return keyOf({ ...named, parts: [], json: key });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function stateOf({ owner, attempt, status, error }: ShownRecord): RecordState {
  return { owner, attempt, status, error: error ?? undefined };
}
