import type { Json } from '@onceflow/local';
import { VirtualClock } from '../../../packages/local/runtime/time/virtual-clock';
import { WorkTracker } from '../../../packages/local/runtime/time/work-tracker';
import type { LambdaSpec } from '../../../proof/conformance/cases/recorded-case';
import { recordedFunctions } from '../../../proof/conformance/environment/functions';

const ARN = 'arn:aws:lambda:us-east-1:111111111111:function:f';

function functionOf(spec: LambdaSpec) {
  const clock = new VirtualClock(0);
  const work = new WorkTracker();
  const functions = recordedFunctions(new Map([[ARN, spec]]), { clock, work, newRequestId: () => 'new' });
  return { clock, work, functions };
}

describe('recorded functions', () => {
  test.each<[string, Json, Json]>([
    ['echo', { n: 1 }, { n: 1 }],
    ['returnHelloWorld', { n: 1 }, { Return: 'HelloWorld' }],
    ['returnBytes', null, 'HelloWorld!'],
    ['decorateInput', 'x', 'input-event-x'],
    ['decorateInput', { n: [1, 'x', null, true] }, "input-event-{'n': [1, 'x', None, True]}"],
    ['largeOutput', {}, 'a'.repeat(257 * 1024)],
  ])('%s', async (behaviour, event, payload) => {
    const { functions } = functionOf({ behaviour });

    expect(await functions.invoke('f', event)).toEqual({ kind: 'succeeded', payload });
  });

  test('raiseException: the recorded error, with the id of the request where a placeholder stood', async () => {
    const errorPayload = { errorMessage: 'm', errorType: 'E', requestId: '<uuid:1>', stackTrace: [] };
    const { functions } = functionOf({ behaviour: 'raiseException', errorPayload });

    expect(await functions.invoke(ARN, {}, 'id')).toEqual({
      kind: 'functionError',
      errorType: 'E',
      payloadText: '{"errorMessage":"m","errorType":"E","requestId":"id","stackTrace":[]}',
    });
  });

  test('sleep60: answers after a minute of its clock, with its own time-out before', async () => {
    const slow = functionOf({ behaviour: 'sleep60' });
    const cutOff = functionOf({ behaviour: 'sleep60', functionTimeoutSeconds: 3 });
    for (const { work } of [slow, cutOff]) work.begin();

    const answers = [slow, cutOff].map(({ functions }) => functions.invoke('f', 'event', 'id'));
    slow.clock.advanceBy(60_000);
    cutOff.clock.advanceBy(3000);

    expect(await Promise.all(answers)).toMatchObject([
      { kind: 'succeeded', payload: 'event' },
      { kind: 'functionError', errorType: 'Sandbox.Timedout' },
    ]);
  });

  test('a function that the case does not have: not found', async () => {
    const { functions } = functionOf({ behaviour: 'echo' });

    expect(await functions.invoke('g', {})).toMatchObject({
      kind: 'serviceError',
      error: 'ResourceNotFoundException',
    });
    expect(functions.find('g')).toBeUndefined();
    expect(functions.find('f')).toMatchObject({ arn: ARN });
  });
});
