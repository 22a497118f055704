import { DescribeExecutionCommand, type HistoryEvent } from '@aws-sdk/client-sfn';
import { STATE } from '../../state-machine/contract/state-names';
import type { ScenarioRun } from './scenario-run';
import { denying } from './table-policy';

/** A script of actions and questions. It has no expectations: two runs of it are compared. */
export interface Scenario {
  readonly name: string;
  readonly about: string;
  play(run: ScenarioRun): Promise<void>;
}

/** The scenarios that need the stack, in order. */
export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'fresh-and-duplicate',
    about: 'a fresh event, and its duplicates by name and by record',
    async play(run) {
      await run.once('first', 'order', { amount: 12.5 });
      await run.once('by name', 'order', { amount: 12.5 });
      const { executionArn } = await run.start('by record', 'order', { amount: 12.5 }, { as: '-again' });
      await run.ended(executionArn);
      for (let sample = 1; sample < run.environment.samples; sample += 1) await run.timed(`sample${sample}`);
    },
  },
  {
    name: 'other-payload',
    about: 'the same key with another payload',
    async play(run) {
      await run.once('first', 'mismatch', { amount: 1 });
      const { executionArn } = await run.start('other payload', 'mismatch', { amount: 2 }, { as: '-other' });
      await run.ended(executionArn);
    },
  },
  {
    name: 'failing-step',
    about: 'a step that fails, what recovery does, and the next delivery',
    async play(run) {
      const failed = await run.once('first', 'failing', { amount: 1, step: 'fail' });
      await run.recoveryOf(failed, 'recovery');
      await run.once('next delivery', 'failing', { amount: 1, step: 'fail' });
    },
  },
  {
    name: 'stopped-in-step',
    about: 'StopExecution within the step; recovery resumes the owner',
    async play(run) {
      const order = { amount: 1, step: 'slow' } as const;
      const { executionArn, startedAt } = await run.start('first', 'inside', order);
      await run.soon(executionArn, 'its step', events => isInStep(events));
      const second = await run.start('', 'inside', order);
      run.note('a second start while it runs', {
        isThisExecution: second.executionArn === executionArn,
        isItsStartDate: second.startedAt === startedAt,
      });
      await stopAndRecover(run, executionArn);
    },
  },
  {
    name: 'stopped-behind-step',
    about: 'StopExecution after the step, whose record is denied; recovery resumes the owner',
    play: run =>
      denying(run.environment, 'UpdateItem', async allow => {
        const { executionArn } = await run.start('first', 'behind', { amount: 1 });
        await run.soon(executionArn, 'a record that is denied', hasFailedAfterStep);
        await stopAndRecover(run, executionArn, allow);
      }),
  },
  {
    name: 'denied-table',
    about: 'a claim that the table denies, until it is permitted',
    play: run =>
      denying(run.environment, 'PutItem', async allow => {
        const { executionArn } = await run.start('first', 'denied', { amount: 1 });
        await run.soon(executionArn, 'a claim that is denied', hasFailedTask);
        await allow();
        await run.ended(executionArn);
      }),
  },
  {
    name: 'throttled-function',
    about: 'a step whose function has a reserved concurrency of 0',
    async play(run) {
      const { executionArn } = await run.start('first', 'throttled', { amount: 1 }, { machine: 'throttled' });
      await run.soon(executionArn, 'a step that is throttled', hasFailedTask);
      await run.stop(executionArn);
      await run.ended(executionArn);
    },
  },
  {
    name: 'custom-event-bus',
    about: 'an event from a custom event bus, and what its execution gets',
    async play(run) {
      await run.publish('custom', { amount: 7 });
      await run.find('workflow', 'workflow', `"${run.keyOf('custom')}"`);
    },
  },
  {
    name: 'http',
    about: 'requests by HTTP: first, replayed, with another payload, without a key',
    async play(run) {
      await run.request('first', 'http', { amount: 7 });
      await run.find('workflow', 'workflow', `"${run.keyOf('http')}"`);
      await run.request('replayed', 'http', { amount: 7 });
      await run.request('other payload', 'http', { amount: 8 });
      await run.request('without a key', undefined, { amount: 7 });
    },
  },
  {
    name: 'http-express',
    about: 'the same requests to an Express workflow, and how its record names the execution',
    async play(run) {
      await run.request('first', 'quick', { amount: 7 }, 'quickUrl');
      await run.placeOfName('owner', 'Quick', 'quick');
      await run.request('replayed', 'quick', { amount: 7 }, 'quickUrl');
      await run.request('other payload', 'quick', { amount: 8 }, 'quickUrl');
      await run.request('without a key', undefined, { amount: 7 }, 'quickUrl');
    },
  },
];

async function stopAndRecover(run: ScenarioRun, executionArn: string, before = () => Promise.resolve()) {
  await run.stop(executionArn);
  await run.ended(executionArn);
  const { sfn, signal } = run.environment.aws;
  const ask = new DescribeExecutionCommand({ executionArn, includedData: 'METADATA_ONLY' });
  const {
    redriveCount = null,
    redriveStatus = null,
    stopDate,
  } = await sfn.send(ask, { abortSignal: signal });
  run.note('metadata of the stopped execution', {
    redriveCount,
    redriveStatus,
    hasStopDate: stopDate !== undefined,
  });
  await before();
  await run.recoveryOf(executionArn, 'recovery');
  await run.ended(executionArn);
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
