import { Duration } from 'aws-cdk-lib';
import { Pass } from 'aws-cdk-lib/aws-stepfunctions';
import { IdempotentWorkflow, type IdempotentWorkflowProps, OnInProgress } from '../../../infra/index';
import { definitionIn, someFunction, synthesized } from '../../support/synthesize';

const variants: [string, Partial<IdempotentWorkflowProps>][] = [
  ['that fails at once', {}],
  ['that waits', { onDuplicateInProgress: OnInProgress.wait(Duration.minutes(5)) }],
];

// Where an owner ends that has claimed: the step itself, and what is not passed with a claim, are left out.
const NOT_PLACES = ['Business step', 'Return stored result'];

describe('where an owner may have stopped, at most once', () => {
  test.each(variants)('a workflow %s: recovery knows every state but the step', (_, props) => {
    for (const step of ['function', 'chain']) {
      const template = synthesized(stack => {
        new IdempotentWorkflow(stack, 'Pay', {
          idempotencyKey: '{% $states.input.id %}',
          step: step === 'function' ? someFunction(stack) : Pass.jsonata(stack, 'Charge'),
          delivery: 'at-most-once',
          ...props,
        });
      });
      const { States } = definitionIn(template);
      const recovery = definitionIn(template, /^PayRecoveryStateMachine/);
      const known = JSON.stringify(recovery.States['Where did it stop?']);
      // As a literal in a condition, not as where a rule leads.
      const isKnown = (name: string) => known.includes(`'${name.replace("'", '\\\\u0027')}'`);
      const passed = Object.entries(States).filter(
        ([name, { Type }]) => Type !== 'Fail' && !NOT_PLACES.includes(name),
      );

      expect(passed.map(([name]) => name).filter(name => !isKnown(name))).toEqual([]);
      expect(passed.length).toBeGreaterThan(10);
    }
  });
});
