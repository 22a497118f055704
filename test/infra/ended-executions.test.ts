import { IdempotentWorkflow, Recovery } from '../../infra/index';
import { compilePattern } from '../../packages/local/services/events/pattern/pattern';
import { ERROR, NOTHING_TO_RECOVER } from '../../state-machine/contract/error-names';
import { someFunction, synthesized } from '../support/synthesize';

const STATE_MACHINE = 'arn:aws:states:us-east-1:111111111111:stateMachine:Pay';

/** The event patterns of recovery and redelivery, with the ARN of the workflow in place of its reference. */
const template = synthesized(stack => {
  new IdempotentWorkflow(stack, 'Pay', {
    idempotencyKey: '{% $states.input.id %}',
    step: someFunction(stack),
    recovery: Recovery.automatic({ redeliverFailed: { maxAttempts: 10 } }),
  });
});
const patterns = Object.values(template.findResources('AWS::Events::Rule')).flatMap(
  ({ Properties }) => Properties.EventPattern ?? [],
);
const [recovery, redelivery] = patterns.map(pattern =>
  compilePattern({ ...pattern, detail: { ...pattern.detail, stateMachineArn: [STATE_MACHINE] } }),
);

/** Whether the rule starts its state machine for an execution that failed; `detail` adds to its event. */
function starts(pattern: typeof recovery, detail: object): boolean {
  if (pattern?.kind !== 'pattern') throw new Error(`not a pattern: ${JSON.stringify(pattern)}`);
  return pattern.matches({
    source: 'aws.states',
    'detail-type': 'Step Functions Execution Status Change',
    detail: { stateMachineArn: STATE_MACHINE, status: 'FAILED', ...detail },
  });
}

test('one rule is for recovery, one for redelivery', () => {
  expect(patterns.map(({ detail }) => detail.status.length)).toEqual([3, 1]);
});

describe.each([
  ['recovery', recovery, NOTHING_TO_RECOVER],
  ['redelivery', redelivery, [...NOTHING_TO_RECOVER, ERROR.invalidEvent]],
])('the rule of %s', (_, pattern, exceptErrors) => {
  test.each([
    ['another error', { error: 'Lambda.Unknown' }],
    ['a null', { error: null }],
    ['no error', {}],
  ])('an event with %s starts its state machine', (_name, detail) => {
    expect(starts(pattern, detail)).toBe(true);
  });

  test('an event with an error that is final starts nothing', () => {
    expect(exceptErrors).toContain('Idempotency.InProgress');
    expect(exceptErrors.filter(error => starts(pattern, { error }))).toEqual([]);
  });

  test('an execution of another state machine starts nothing', () => {
    expect(starts(pattern, { stateMachineArn: `${STATE_MACHINE}Other` })).toBe(false);
  });
});
