import { isDeepStrictEqual } from 'node:util';
import {
  claimsIn,
  deployedIn,
  keyExpressionsOf,
  keyPayloadOf,
  settingsOfMachine,
} from '../../cli/definition/claims';
import type { DeployedWorkflow } from '../../state-machine/contract/deployed-settings';
import { executionName } from '../../state-machine/contract/execution-name';
import {
  type KeyText,
  keyText,
  payloadHash,
  payloadKeyText,
  recordKey,
} from '../../state-machine/contract/index';
import { STATE } from '../../state-machine/contract/state-names';
import { evaluate206 } from './evaluate';

/** The definitions of one workflow: its own, and those of its dispatcher and its recovery. */
export interface Definitions {
  readonly workflow: string;
  readonly dispatcher: string;
  readonly recovery: string;
}

type States = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
interface Rule {
  readonly Condition: string;
  readonly Next: string;
}

const ACCOUNT = 'arn:aws:states:us-east-1:111111111111';
const NOW = Date.parse('2026-11-20T09:00:00.000Z');
const ENTERED = '2026-11-20T08:59:00.000Z';

/**
 * The names of the settings with which the expressions of the definitions do not agree: each expression is evaluated,
 * and its value compared with the one that follows from the settings.
 */
export async function disagreements(
  definitions: Definitions,
  inputs: readonly object[],
): Promise<readonly string[]> {
  const [claim] = claimsIn(definitions.workflow);
  const settings = claim && deployedIn(claim.settings);
  if (!claim || !settings) return ['no settings'];
  const checks = [
    ...(await keyChecks(claim.keyExpression, settings, inputs)),
    ...(await payloadChecks(claim.states, settings, inputs)),
    ...(await nameChecks(definitions.dispatcher, settings, inputs)),
    ...(await timeChecks(claim.states, settings)),
    ...(await judgeChecks(claim.states, settings)),
    ...(await redriveChecks(definitions.recovery)),
  ];
  const wrong = checks.filter(([, is, expected]) => !isDeepStrictEqual(is, expected)).map(([name]) => name);
  return [...new Set(wrong)];
}

type Check = readonly [setting: string, is: unknown, expected: unknown];

async function evaluated(text: unknown, variables: Record<string, unknown>): Promise<unknown> {
  const answer = await evaluate206(String(text), variables, NOW);
  return 'value' in answer ? answer.value : answer.thrown;
}

const context = {
  Execution: { Id: `${ACCOUNT}:execution:Pay:order-7`, StartTime: ENTERED },
  State: { EnteredTime: ENTERED },
};
const own = (jsonata: string, input: object) => evaluated(`{% ${jsonata} %}`, { states: { input, context } });

async function textOfKey(settings: DeployedWorkflow, input: object): Promise<string> {
  const payload = keyPayloadOf(settings);
  if (payload !== undefined) return textIn(payloadKeyText((await own(payload, input)) as never));
  const values = await Promise.all((keyExpressionsOf(settings) ?? []).map(source => own(source, input)));
  return textIn(keyText(typeof settings.key === 'string' ? values[0] : values));
}

function textIn(key: KeyText): string {
  return key.kind === 'key' ? key.text : 'no key';
}

async function keyChecks(expression: string, settings: DeployedWorkflow, inputs: readonly object[]) {
  const checks = inputs.map(async (input): Promise<readonly Check[]> => {
    const is = String(await own(expression, input));
    const expected = recordKey(settings.scope, await textOfKey(settings, input));
    const behind = (text: string) => text.slice(text.indexOf('#'));
    return [
      ['scope', is.slice(0, is.indexOf('#')), settings.scope],
      ['key', behind(is), behind(expected)],
    ];
  });
  return (await Promise.all(checks)).flat();
}

interface ClaimRequest {
  readonly Item: { readonly payloadHash?: { readonly S: string } };
}

/** The request of a state. @throws Error if there is no such state */
function argumentsOf<Request>(states: States, name: string): Request {
  const state = states[name];
  if (state === undefined) throw new Error(`there is no state ${name}`);
  return state['Arguments'] as Request;
}

async function payloadChecks(states: States, settings: DeployedWorkflow, inputs: readonly object[]) {
  const { Item } = argumentsOf<ClaimRequest>(states, STATE.claim);
  const checks = inputs.map(async (input): Promise<Check> => {
    const is = Item.payloadHash && (await evaluated(Item.payloadHash.S, { states: { input, context } }));
    const { payload } = settings;
    return ['payload', is, payload && payloadHash((await own(payload, input)) as never)];
  });
  return Promise.all(checks);
}

async function nameChecks(dispatcher: string, settings: DeployedWorkflow, inputs: readonly object[]) {
  const { States } = JSON.parse(dispatcher) as { readonly States: States };
  const read = States['Read the key'] as { readonly Assign: { readonly name: string } };
  const checks = inputs.map(async (input): Promise<Check> => {
    const text = await textOfKey(settings, input);
    const is = await evaluated(read.Assign.name, { states: { result: [text] } });
    return ['executionNames', is, executionName(text, settings.executionNames)];
  });
  return Promise.all(checks);
}

interface Finalize {
  readonly ExpressionAttributeValues: Readonly<Record<string, { readonly N: string }>>;
}

async function timeChecks(states: States, settings: DeployedWorkflow): Promise<readonly Check[]> {
  const { retentionSeconds, failedRetentionSeconds = retentionSeconds, waitSeconds } = settings;
  const keptFor = async (state: string) => {
    const { ExpressionAttributeValues: values } = argumentsOf<Finalize>(states, state);
    return Number(await evaluated(values[':expiry']?.N, {})) - Math.floor(NOW / 1000);
  };
  const wait = states[STATE.wait]?.['Assign'] as { readonly waitUntil: string } | undefined;
  const until = wait && Number(await evaluated(wait.waitUntil, { states: { context } }));
  return [
    ['retentionSeconds', await keptFor(STATE.completed), retentionSeconds],
    ['failedRetentionSeconds', await keptFor(STATE.failed), failedRetentionSeconds],
    ['waitSeconds', until && (until - Date.parse(ENTERED)) / 1000, waitSeconds],
  ];
}

/** The first rule of a Choice that holds leads to this state; undefined: its default. */
async function nextOf(state: States[string] | undefined, variables: Record<string, unknown>) {
  for (const { Condition, Next } of (state?.['Choices'] ?? []) as readonly Rule[])
    if ((await evaluated(Condition, variables)) === true) return Next;
  return state?.['Default'];
}

async function judgeChecks(states: States, settings: DeployedWorkflow): Promise<readonly Check[]> {
  const judge = states[STATE.whatDoesRecordSay];
  const outcome = (record: object) =>
    nextOf(judge, { record, rejections: 0, states: { context }, payloadHash: 'hash' });
  const { formerStateMachines = [], returnedErrors } = settings;
  const names = [...formerStateMachines, 'Pay', 'Pay-Older', 'Pay-Other'];
  const owners = names.map(async (name): Promise<Check> => {
    const record = {
      status: { S: 'HELD' },
      payloadHash: { S: 'hash' },
      owner: { S: `${ACCOUNT}:execution:${name}:order-7` },
    };
    const isOwn = name === 'Pay' || formerStateMachines.includes(name);
    const isForeign = (await outcome(record)) === STATE.foreignRecord;
    return ['formerStateMachines', isForeign, !isOwn];
  });
  const failures = [...(returnedErrors ?? []), 'CardDeclined', 'Other'].map(async (error): Promise<Check> => {
    const record = {
      status: { S: 'FAILED' },
      payloadHash: { S: 'hash' },
      owner: { S: context.Execution.Id },
      error: { S: JSON.stringify({ Error: error, Cause: '' }) },
    };
    const isReturned = (await outcome(record)) === STATE.returnFailure;
    return ['returnedErrors', isReturned, returnedErrors?.includes(error) ?? false];
  });
  return Promise.all([...owners, ...failures]);
}

async function redriveChecks(recovery: string): Promise<readonly Check[]> {
  const read = settingsOfMachine(recovery);
  const max =
    read.kind === 'settings' && 'maxRedrives' in read.settings ? read.settings.maxRedrives : undefined;
  const { States } = JSON.parse(recovery) as { readonly States: States };
  const [state] = Object.values(States).filter(({ Choices }) =>
    (Choices as readonly Rule[] | undefined)?.some(({ Next }) => Next === 'Redrive the owner'),
  );
  const executionArn = context.Execution.Id;
  const nextAt = (redriveCount: number) =>
    nextOf(state, {
      hasNoKey: false,
      isUnclaimed: false,
      hasNothingToRecover: false,
      hasOnlyResult: false,
      isAsked: true,
      acts: 1,
      earlier: 0,
      actedAt: 0,
      unknownAt: 0,
      endedAt: NOW - 864e5,
      readAt: NOW,
      redrivesBefore: 0,
      record: {
        status: { S: 'IN_PROGRESS' },
        owner: { S: executionArn },
        claimedAt: { S: ENTERED },
        stepTimeout: { N: '33' },
        attempt: { N: '1' },
      },
      owner: { executionArn, status: 'FAILED', error: 'E', redriveCount, redriveStatus: 'REDRIVABLE' },
      states: { context, input: {} },
    });
  const counts = Array.from({ length: 6 }, (_, count) => count);
  return Promise.all(
    counts.map(async (count): Promise<Check> => {
      const isRedriven = (await nextAt(count)) === 'Redrive the owner';
      return ['maxRedrives', isRedriven, count < (max ?? Number.MAX_SAFE_INTEGER)];
    }),
  );
}
