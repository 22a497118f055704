import { DescribeExecutionCommand, type HistoryEvent } from '@aws-sdk/client-sfn';
import { STATE } from '../../state-machine/contract/state-names';
import type { Talk } from './talk';

/** A script: what is said and asked, and nothing about what is right. */
export interface Conversation {
  readonly name: string;
  readonly about: string;
  hold(talk: Talk): Promise<void>;
}

/** The conversations that a stack is needed for, in order. */
export const CONVERSATIONS: readonly Conversation[] = [
  {
    name: 'fresh-and-duplicate',
    about: 'a fresh event, and its duplicates by name and by record',
    async hold(talk) {
      await talk.once('first', 'order', { amount: 12.5 });
      await talk.once('by name', 'order', { amount: 12.5 });
      const { executionArn } = await talk.start('by record', 'order', { amount: 12.5 }, { as: '-again' });
      await talk.ended(executionArn);
      for (let sample = 1; sample < talk.place.samples; sample += 1) await talk.timed(`sample${sample}`);
    },
  },
  {
    name: 'other-payload',
    about: 'the same key with another payload',
    async hold(talk) {
      await talk.once('first', 'mismatch', { amount: 1 });
      const { executionArn } = await talk.start('other payload', 'mismatch', { amount: 2 }, { as: '-other' });
      await talk.ended(executionArn);
    },
  },
  {
    name: 'failing-step',
    about: 'a step that fails, what recovery does, and the next delivery',
    async hold(talk) {
      const failed = await talk.once('first', 'failing', { amount: 1, step: 'fail' });
      await talk.recoveryOf(failed, 'recovery');
      await talk.once('next delivery', 'failing', { amount: 1, step: 'fail' });
    },
  },
  {
    name: 'stopped-in-step',
    about: 'StopExecution within the step; recovery resumes the owner',
    async hold(talk) {
      const order = { amount: 1, step: 'slow' } as const;
      const { executionArn, startedAt } = await talk.start('first', 'inside', order);
      await talk.soon(executionArn, 'its step', events => isInStep(events));
      const second = await talk.start('', 'inside', order);
      talk.note('a second start while it runs', {
        isThisExecution: second.executionArn === executionArn,
        isItsStartDate: second.startedAt === startedAt,
      });
      await stopAndRecover(talk, executionArn);
    },
  },
  {
    name: 'stopped-behind-step',
    about: 'StopExecution after the step, whose record is denied; recovery resumes the owner',
    hold: talk =>
      talk.denying('UpdateItem', async allow => {
        const { executionArn } = await talk.start('first', 'behind', { amount: 1 });
        await talk.soon(executionArn, 'a record that is denied', hasFailedAfterStep);
        await stopAndRecover(talk, executionArn, allow);
      }),
  },
  {
    name: 'denied-table',
    about: 'a claim that the table denies, until it is permitted',
    hold: talk =>
      talk.denying('PutItem', async allow => {
        const { executionArn } = await talk.start('first', 'denied', { amount: 1 });
        await talk.soon(executionArn, 'a claim that is denied', hasFailedTask);
        await allow();
        await talk.ended(executionArn);
      }),
  },
  {
    name: 'throttled-function',
    about: 'a step whose function has a reserved concurrency of 0',
    async hold(talk) {
      const { executionArn } = await talk.start(
        'first',
        'throttled',
        { amount: 1 },
        { machine: 'throttled' },
      );
      await talk.soon(executionArn, 'a step that is throttled', hasFailedTask);
      await talk.stop(executionArn);
      await talk.ended(executionArn);
    },
  },
  {
    name: 'http',
    about: 'requests by HTTP: first, replayed, with another payload, without a key',
    async hold(talk) {
      await talk.request('first', 'http', { amount: 7 });
      await talk.find('workflow', 'workflow', `"${talk.keyOf('http')}"`);
      await talk.request('replayed', 'http', { amount: 7 });
      await talk.request('other payload', 'http', { amount: 8 });
      await talk.request('without a key', undefined, { amount: 7 });
    },
  },
];

async function stopAndRecover(talk: Talk, executionArn: string, before = () => Promise.resolve()) {
  await talk.stop(executionArn);
  await talk.ended(executionArn);
  const { sfn, signal } = talk.place.aws;
  const ask = new DescribeExecutionCommand({ executionArn, includedData: 'METADATA_ONLY' });
  const {
    redriveCount = null,
    redriveStatus = null,
    stopDate,
  } = await sfn.send(ask, { abortSignal: signal });
  talk.note('metadata of the stopped execution', {
    redriveCount,
    redriveStatus,
    hasStopDate: stopDate !== undefined,
  });
  await before();
  await talk.recoveryOf(executionArn, 'recovery');
  await talk.ended(executionArn);
}

/** Whether the step's task is under way. */
function isInStep(events: readonly HistoryEvent[]): boolean {
  const entered = events.findIndex(event => event.stateEnteredEventDetails?.name === STATE.step);
  return entered !== -1 && events.slice(entered).some(({ type }) => /Started$/.test(String(type)));
}

const isFailedTask = ({ type }: HistoryEvent) => /^(?:Task|LambdaFunction)Failed$/.test(String(type));

function hasFailedTask(events: readonly HistoryEvent[]): boolean {
  return events.some(isFailedTask);
}

function hasFailedAfterStep(events: readonly HistoryEvent[]): boolean {
  const left = events.findIndex(event => event.stateExitedEventDetails?.name === STATE.step);
  return left !== -1 && events.slice(left).some(isFailedTask);
}
