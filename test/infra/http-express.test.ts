import { Duration } from 'aws-cdk-lib';
import type { Template } from 'aws-cdk-lib/assertions';
import {
  type HttpSourceOptions,
  IdempotentWorkflow,
  type IdempotentWorkflowProps,
  Source,
} from '../../infra/index';
import { allowed, someFunction, synthesized } from '../support/synthesize';

function started(
  options: HttpSourceOptions = {},
  props: Partial<IdempotentWorkflowProps> = {},
  functionTimeout = Duration.seconds(15),
): Template {
  return synthesized(stack => {
    new IdempotentWorkflow(stack, 'Pay', {
      idempotencyKey: '{% $states.input.idempotencyKey %}',
      step: someFunction(stack, { timeout: functionTimeout }),
      type: 'EXPRESS',
      ...props,
    }).startFrom(Source.http('/shop/payments', options));
  });
}

describe('Source.http of an Express workflow', () => {
  test('one method, and no path for answers that take long', () => {
    const made = started();
    const methods = Object.values(made.findResources('AWS::ApiGateway::Method'));
    const paths = Object.values(made.findResources('AWS::ApiGateway::Resource'));

    expect(methods.map(({ Properties }) => Properties['HttpMethod'])).toEqual(['POST']);
    expect(paths.map(({ Properties }) => Properties['PathPart'])).toEqual(['shop', 'payments']);
  });

  test('the front door may call the workflow and read records, and nothing else', () => {
    const own = allowed(started(), /FrontDoorStateMachine/).filter(one => !one.startsWith('logs:'));

    expect(own).toEqual([
      expect.stringMatching(/^states:StartSyncExecution .*PayStateMachine/),
      expect.stringMatching(/^dynamodb:GetItem /),
    ]);
  });

  test.each<[string, () => Template, string]>([
    [
      'a function that may outlast the request',
      () => started({}, {}, Duration.seconds(16)),
      "`Source.http` waits for 20 seconds, and with `type: 'EXPRESS'` an answer can take 21: 16 for the step with its retries, 5 for the " +
        'states around it. A request cannot wait longer than 20 seconds',
    ],
    [
      'a step whose time is not said',
      () => started({}, { stepTimeout: Duration.minutes(1) }),
      'an answer can take 65: 60 for the step',
    ],
    [
      'a step whose retries may outlast the request',
      () => started({}, { retry: { errors: ['Busy'], interval: Duration.seconds(6), maxAttempts: 3 } }),
      'an answer can take 107: 102 for the step with its retries',
    ],
    [
      'a short wait',
      () => started({ waitUpTo: Duration.seconds(10) }),
      '`Source.http` waits for 10 seconds, and',
    ],
    [
      'a wait that is longer than a request may take',
      () => started({ waitUpTo: Duration.seconds(21) }),
      "`waitUpTo` must be at most 20 seconds with `type: 'EXPRESS'`, got 21",
    ],
  ])('%s: rejected, with the remedy', (_, make, message) => {
    expect(make).toThrow(message);
  });
});
