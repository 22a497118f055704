import { Template } from 'aws-cdk-lib/assertions';
import { DefinitionBody, type IChainable, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { IdempotentFragment, RecordTable, Recovery } from '../../infra/index';
import { evaluate206 } from '../support/evaluate';
import { definitionIn, newStack, someFunction } from '../support/synthesize';

/** Whether recovery takes a state for a request of the fragment, which stands in its machine in some way. */
async function asks(place: (pay: IdempotentFragment) => IChainable, state: string): Promise<boolean> {
  const stack = newStack();
  const table = new RecordTable(stack, 'Records');
  const idempotencyKey = '{% $states.input.orderId %}';
  const pay = new IdempotentFragment(stack, 'Pay', { table, idempotencyKey, step: someFunction(stack) });
  const definitionBody = DefinitionBody.fromChainable(place(pay));
  const machine = new StateMachine(stack, 'Orders', { definitionBody });
  pay.grantTo(machine);
  Recovery.of(machine);

  const template = Template.fromStack(stack);
  const names = Object.keys(definitionIn(template, /^Orders(?!.*Recovery)/).States);
  expect(names).toEqual([state.split(': ')[0]]);
  const { States } = definitionIn(template, /Recovery(?!.*Search)/);
  const rules = Object.values(States).flatMap(one => (one['Choices'] ?? []) as Record<string, string>[]);
  const rule = rules.find(({ Comment }) => Comment === 'In a request of a fragment');
  const assigned = rules.map(({ Assign }) => Assign as unknown as { readonly requests?: unknown });
  const requests = assigned.find(one => one?.requests !== undefined)?.requests;
  const found = await evaluate206(rule?.['Condition'] ?? '', { failedState: state, requests });
  return (found as { readonly value: boolean }).value;
}

const single = (pay: IdempotentFragment) => pay.toSingleState({ stateId: 'Buy', resultPath: '$.payment' });

describe('a fragment whose states CDK has given a longer name', () => {
  test.each<[string, (pay: IdempotentFragment) => IChainable, string, boolean]>([
    ['none', pay => pay, 'Pay: Claim record', true],
    ['none, the step', pay => pay, 'Pay: Business step', false],
    ['none, a state of another', pay => pay, 'Pay', false],
    ['as a single state', single, 'Buy: Pay: Claim record', true],
    ['as a single state, the step', single, 'Buy: Pay: Business step', false],
  ])('%s: recovery knows its requests by it', async (_, place, state, isKnown) => {
    expect(await asks(place, state)).toBe(isKnown);
  });
});
