import { Duration } from 'aws-cdk-lib';
import { Pass } from 'aws-cdk-lib/aws-stepfunctions';
import { IdempotentWorkflow, type IdempotentWorkflowProps, OnInProgress } from '../../../infra/index';
import { evaluate206 } from '../../support/evaluate';
import { definitionIn, someFunction, synthesized } from '../../support/synthesize';

const variants: [string, Partial<IdempotentWorkflowProps>][] = [
  ['that fails at once', {}],
  ['that waits', { onDuplicateInProgress: OnInProgress.wait(Duration.minutes(5)) }],
];

// The end of an owner that has claimed: the step itself, and states that a claimed execution does not pass, are left
// out.
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

describe("the pages of an owner's history, at most once", () => {
  const STOPPED = '2026-11-20T09:00:00.000Z';
  const ended = (Id: number) => ({ Id, Type: 'ExecutionAborted', Timestamp: STOPPED });
  const redriven = (Id: number) => ({ Id, Type: 'ExecutionRedriven', Timestamp: STOPPED });
  const entered = (Id: number, Name: string) => ({
    Id,
    Type: 'TaskStateEntered',
    Timestamp: STOPPED,
    StateEnteredEventDetails: { Name },
  });

  /** The last state that recovery has found after these pages, newest events first. */
  async function lastStateIn(...pages: readonly (readonly object[])[]) {
    const template = synthesized(stack => {
      const [idempotencyKey, step] = ['{% $states.input.id %}', someFunction(stack)];
      new IdempotentWorkflow(stack, 'Pay', { idempotencyKey, step, delivery: 'at-most-once' });
    });
    const { States } = definitionIn(template, /^PayRecoveryStateMachine/);
    const { lastState } =
      (States["Read the owner's history"] as { readonly Assign?: Record<string, string> }).Assign ?? {};
    let variables: object = { owner: { stopDate: Date.parse(STOPPED) }, lastState: {}, pageToken: '' };
    for (const Events of pages) {
      const evaluation = await evaluate206(
        lastState ?? '',
        { ...variables, states: { result: { Events } } },
        0,
      );
      if ('thrown' in evaluation) throw new Error(evaluation.thrown);
      variables = { ...variables, lastState: evaluation.value, pageToken: 'more' };
    }
    return (variables as { lastState: unknown }).lastState;
  }

  test('a second page that follows the first shows where the owner stopped', async () => {
    const found = await lastStateIn([ended(12), redriven(11)], [entered(10, 'Claim record')]);

    expect(found).toMatchObject({ isOfThisEnd: true, name: 'Claim record', isLeft: false });
  });

  test('a second page that was moved by a redrive is of another end', async () => {
    const found = await lastStateIn([ended(12), redriven(11)], [entered(13, 'Business step')]);

    expect(found).toMatchObject({ isOfThisEnd: false });
  });

  test('a first page without an end is of another end, whatever follows', async () => {
    const found = await lastStateIn([redriven(11)], [entered(10, 'Business step')]);

    expect(found).toMatchObject({ isOfThisEnd: false });
  });
});
