import type { JsonObject } from '../../../../packages/local/json/json';
import type { Call } from '../../../../proof/explore/model/execution-state';
import { withDefinition } from '../../../../proof/explore/model/explored-machine';
import { type ModelState, withExecution } from '../../../../proof/explore/model/model-state';
import { initialState, StateSpace } from '../../../../proof/explore/model/state-space';
import { isBusiness } from '../../../../proof/explore/transition/effects';
import {
  describe as describeExecution,
  redrive,
  redriveByFunction,
  staleDescriptions,
  start,
} from '../../../../proof/explore/transition/step-functions';
import { shippedSubject } from '../subject';

const DAY_MS = 24 * 60 * 60 * 1000;
const MINUTE_MS = 60_000;
const INPUT = { detail: { orderId: 'order-7', amount: 12, currency: 'EUR' } };

let space: StateSpace;
let running: ModelState;
let stopped: ModelState;

beforeAll(() => {
  space = new StateSpace(shippedSubject());
  running = start(space, initialState(space, 1, 0), startOf('order-7', INPUT)).model;
  const number = space.workflow.signalled(0, { kind: 'stopped' }, running.now);
  stopped = withExecution(running, 0, number);
});

function startOf(name: string, input: JsonObject): Call {
  return callOf('states:startExecution', { Name: name, Input: input });
}

function callOf(resource: string, given: JsonObject): Call {
  return { resource, arguments: given, stateName: 'Test' };
}

function arnOf(model: ModelState, index = 0): string {
  return space.workflow.get(model.executions[index] ?? -1).execution.arn;
}

function later(model: ModelState, ms: number): ModelState {
  return { ...model, now: model.now + ms };
}

describe('a start by name', () => {
  test.each<[title: string, model: () => ModelState, input: JsonObject, started: number | string]>([
    ['running, same input: the same execution', () => running, INPUT, 1],
    [
      'running, other input: taken',
      () => running,
      { detail: {} },
      'StepFunctions.ExecutionAlreadyExistsException',
    ],
    ['ended, same input: taken', () => stopped, INPUT, 'StepFunctions.ExecutionAlreadyExistsException'],
    ['ended 90 days ago: free', () => later(stopped, 90 * DAY_MS), INPUT, 2],
    [
      'ended a moment less ago: taken',
      () => later(stopped, 90 * DAY_MS - 1),
      INPUT,
      'StepFunctions.ExecutionAlreadyExistsException',
    ],
  ])('%s', (_title, model, input, started) => {
    const served = start(space, model(), startOf('order-7', input));

    const came = served.result.kind === 'failed' ? served.result.error : served.model.executions.length;
    expect(came).toBe(started);
  });
});

describe('a redrive', () => {
  const REJECTED = 'Sfn.ExecutionNotRedrivableException';

  test.each<[title: string, model: () => ModelState, outcome: number | string]>([
    ['running: rejected', () => running, REJECTED],
    ['stopped: goes on', () => stopped, 1],
    ['stopped 14 days ago: rejected', () => later(stopped, 14 * DAY_MS), REJECTED],
  ])('%s', (_title, model, outcome) => {
    const request = { ExecutionArn: arnOf(running), ClientToken: 'one' };

    const { result, model: after } = redrive(space, model(), request);

    const count = space.workflow.get(after.executions[0] ?? -1).execution.redriveCount;
    expect(result.kind === 'failed' ? result.error : count).toBe(outcome);
  });

  test.each<[title: string, model: () => ModelState, outcome: number | string]>([
    ['running: rejected, by the name that the function throws', () => running, 'ExecutionNotRedrivable'],
    ['stopped: goes on', () => stopped, 1],
  ])('by the function, %s', (_title, model, outcome) => {
    const Payload = { executionArn: arnOf(running), clientToken: 'one' };
    const call = { ...callOf('lambda:invoke', { Payload }), stateName: 'Pay: Redrive the owner' };

    const { result, model: after } = redriveByFunction(space, model(), call);

    const count = space.workflow.get(after.executions[0] ?? -1).execution.redriveCount;
    expect(result.kind === 'failed' ? result.error : count).toBe(outcome);
    expect(isBusiness(call)).toBe(false);
    expect(isBusiness({ ...call, stateName: 'Pay: Business step' })).toBe(true);
  });

  test('same token, stopped again: within a quarter of an hour nothing, then another redrive', () => {
    const request = { ExecutionArn: arnOf(running), ClientToken: 'one' };
    const once = redrive(space, stopped, request).model;
    const number = once.executions[0] ?? -1;
    const again = space.workflow.signalled(number, { kind: 'stopped' }, once.now);
    const dead = withExecution(once, 0, again);
    const countAfter = (ms: number) => {
      const { model } = redrive(space, later(dead, ms), request);
      return space.workflow.get(model.executions[0] ?? -1).execution.redriveCount;
    };

    expect([countAfter(15 * MINUTE_MS - 1), countAfter(15 * MINUTE_MS)]).toEqual([1, 2]);
  });
});

describe('a description', () => {
  test('stopped: when, and that it can be redriven; later that it cannot', () => {
    const call = callOf('aws-sdk:sfn:describeExecution', { ExecutionArn: arnOf(running) });

    expect(describeExecution(space, stopped, call)).toMatchObject({
      output: {
        Status: 'ABORTED',
        StopDate: '2026-11-20T09:00:00.000Z',
        RedriveCount: 0,
        RedriveStatus: 'REDRIVABLE',
      },
    });
    expect(describeExecution(space, later(stopped, 14 * DAY_MS), call)).toMatchObject({
      output: { RedriveStatus: 'NOT_REDRIVABLE' },
    });
  });

  test('ended 90 days ago: unknown, and cannot be redriven', () => {
    const call = callOf('aws-sdk:sfn:describeExecution', { ExecutionArn: arnOf(running) });
    const forgotten = later(stopped, 90 * DAY_MS);
    const UNKNOWN = { error: 'Sfn.ExecutionDoesNotExistException' };

    expect(describeExecution(space, later(stopped, 90 * DAY_MS - 1), call)).toHaveProperty('output');
    expect(describeExecution(space, forgotten, call)).toMatchObject(UNKNOWN);
    expect(redrive(space, forgotten, call.arguments).result).toMatchObject(UNKNOWN);
  });

  test('no execution: unknown', () => {
    expect(describeExecution(space, running, callOf('', { ExecutionArn: 'arn:nobody' }))).toMatchObject({
      error: 'Sfn.ExecutionDoesNotExistException',
    });
  });

  test.each<[title: string, model: () => ModelState, stale: string[]]>([
    ['running: may be unknown yet', () => running, ['unknown']],
    ['stopped: may look running', () => stopped, ['running', 'unknown']],
    ['after 15 minutes: is what it is', () => later(stopped, 15 * MINUTE_MS), []],
  ])('stale, %s', (_title, model, stale) => {
    const call = callOf('aws-sdk:sfn:describeExecution', { ExecutionArn: arnOf(running) });

    expect(staleDescriptions(space, model(), call).map(([how]) => how)).toEqual(stale);
  });
});

test('a claim with a number under N: Step Functions makes no call of it, and the execution has failed', () => {
  const { workflow, ...rest } = shippedSubject();
  const text = JSON.stringify(workflow.json).replace('{"N":"1"}', '{"N":1}');
  const wrong = new StateSpace({ ...rest, workflow: withDefinition(workflow, JSON.parse(text)) });
  const { model } = start(wrong, initialState(wrong, 1, 0), startOf('order-7', INPUT));

  const { execution, call } = wrong.workflow.get(model.executions[0] ?? -1);
  expect(execution).toMatchObject({ status: 'FAILED', end: { error: 'States.Runtime' } });
  expect(call).toBeNull();
});
