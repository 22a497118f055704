import { App, CfnParameter, Duration, Stack } from 'aws-cdk-lib';
import {
  Choice,
  Condition,
  DefinitionBody,
  DistributedMap,
  type IChainable,
  type INextable,
  Map as MapState,
  Parallel,
  Pass,
  QueryLanguage,
  StateMachine,
  Wait,
  WaitTime,
} from 'aws-cdk-lib/aws-stepfunctions';
import {
  type IdempotencyKey,
  IdempotentFragment,
  type IdempotentFragmentProps,
  IdempotentWorkflow,
  Key,
  RecordTable,
} from '../../infra/index';
import { someFunction } from '../support/synthesize';

const KEY = '{% $states.input.orderId %}';

function fragment(
  stack: Stack,
  id: string,
  step: IdempotentFragmentProps['step'] = Pass.jsonata(stack, `${id} step`),
  idempotencyKey: IdempotencyKey = KEY,
) {
  const table = new RecordTable(stack, `${id}Records`);
  return new IdempotentFragment(stack, id, { table, idempotencyKey, step });
}

function machine(stack: Stack, body: IChainable, ...fragments: readonly IdempotentFragment[]): void {
  const orders = new StateMachine(stack, 'Orders', {
    queryLanguage: QueryLanguage.JSONATA,
    definitionBody: DefinitionBody.fromChainable(body),
  });
  for (const one of fragments) one.grantTo(orders);
}

const sets = (stack: Stack, variable: string, id = 'Sets') =>
  Pass.jsonata(stack, id, { assign: { [variable]: 1 } });

/** What synth says of a stack; undefined: nothing. */
function problemOf(define: (stack: Stack) => void): string | undefined {
  const app = new App({ context: { 'aws:cdk:bundling-stacks': [] } });
  define(new Stack(app, 'Test'));
  try {
    app.synth();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

describe('the place of an IdempotentFragment', () => {
  test('another state machine than the one it was granted to: rejected, with both', () => {
    const problem = problemOf(stack => {
      const pay = fragment(stack, 'Pay');
      const ship = fragment(stack, 'Ship');
      machine(stack, ship, ship, pay);
    });
    expect(problem).toMatch(/Test\/Pay is not in Test\/Orders\. Call `grantTo` with the state machine that/);
  });

  test.each<[string, number, (stack: Stack) => IdempotentFragment, string | undefined]>([
    ['a function of 3 s', 129, stack => fragment(stack, 'Pay', someFunction(stack)), undefined],
    [
      'a function of 3 s',
      128,
      stack => fragment(stack, 'Pay', someFunction(stack)),
      'at least 129 seconds here, got 128',
    ],
    ['a chain', 1830, stack => fragment(stack, 'Pay'), undefined],
    ['a chain', 1829, stack => fragment(stack, 'Pay'), 'at least 1830 seconds here, got 1829'],
  ])('the step is %s, the timeout of the machine %i s', (_, seconds, define, problem) => {
    const found = problemOf(stack => {
      const pay = define(stack);
      pay.grantTo(
        new StateMachine(stack, 'Orders', {
          timeout: Duration.seconds(seconds),
          definitionBody: DefinitionBody.fromChainable(pay),
        }),
      );
    });
    if (problem) expect(found).toContain(problem);
    else expect(found).toBeUndefined();
  });

  test.each([
    ['inline', MapState, undefined],
    ['distributed', DistributedMap, expect.stringMatching(/Test\/Pay is in a distributed Map.*inline Map/)],
  ])('the items of a Map that is %s', (_, map, problem) => {
    const defined = (stack: Stack) => {
      const pay = fragment(stack, 'Pay');
      machine(stack, map.jsonata(stack, 'Each', {}).itemProcessor(pay), pay);
    };
    expect(problemOf(defined)).toEqual(problem);
  });

  const NAME = '{% $states.context.Execution.Name %}';
  const BATCH = '{% $states.context.Execution.Input.batch %}';
  const ITEM = '{% $states.input.orderId %}';

  test.each<[string, IdempotencyKey, boolean]>([
    ['the name of the execution', NAME, false],
    ['its input', BATCH, false],
    ['both', [NAME, BATCH], false],
    [
      'an item that may be missing',
      [BATCH, "{% $exists($states.input.part) ? $states.input.part : '1' %}"],
      false,
    ],
    ['a hash of its input', Key.ofPayload(BATCH), false],
    ['its input, unchecked', Key.unchecked(BATCH, { reason: 'a batch' }), false],
    [
      'the item in one branch of a hash',
      Key.ofPayload('{% $states.input.part ? $states.input : $states.context.Execution.Input %}'),
      false,
    ],
    ['the item', ITEM, true],
    ['the item within its batch', [BATCH, ITEM], true],
    ['a hash of the item', Key.ofPayload('{% $states.input %}'), true],
  ])('a key in a Map that is %s: only what tells items apart is accepted', (_, key, isAccepted) => {
    const defined = (isInMap: boolean) => (stack: Stack) => {
      const pay = fragment(stack, 'Pay', Pass.jsonata(stack, 'Charge'), key);
      machine(stack, isInMap ? MapState.jsonata(stack, 'Each', {}).itemProcessor(pay) : pay, pay);
    };

    const problem = 'Test/Pay is in a Map, and its `idempotencyKey` is the same for all items';
    expect(problemOf(defined(true))).toEqual(isAccepted ? undefined : expect.stringContaining(problem));
    expect(problemOf(defined(false)) ?? 'accepted').not.toContain('in a Map');
  });
});

describe('the members that a Map selects for its items', () => {
  const MEMBERS = {
    order: '{% $states.context.Map.Item.Value %}',
    batch: '{% $states.input.batch %}',
    run: '{% $states.context.Execution.Id %}',
    all: '{% $states.context %}',
    kind: 'order',
  };
  const AS_TEXT =
    "{% {'order': $states.context.Map.Item.Value, 'batch': $states.input.batch, 'kind': 'order', " +
    "'run': $states.context.Execution.Id, 'all': $states.context} %}";

  /** Where the fragment stands within the Map. */
  type Place = (stack: Stack, pay: IdempotentFragment) => IChainable;
  const first: Place = (_, pay) => pay;
  const behind =
    (state: (stack: Stack) => INextable & IChainable): Place =>
    (stack, pay) => {
      const ahead = state(stack);
      ahead.next(pay);
      return ahead;
    };
  const behindPass = behind(stack => Pass.jsonata(stack, 'Ahead'));
  const behindOther = behind(stack => Pass.jsonata(stack, 'Ahead', { outputs: '{% $states.input.order %}' }));
  const inParallel: Place = (stack, pay) => Parallel.jsonata(stack, 'Both').branch(pay);
  const inParallelOf =
    (given: object): Place =>
    (stack, pay) =>
      Parallel.jsonata(stack, 'Both', { arguments: given }).branch(pay);

  const selected = (idempotencyKey: IdempotencyKey, place: Place, selector: object | string = MEMBERS) =>
    problemOf(stack => {
      const pay = fragment(stack, 'Pay', Pass.jsonata(stack, 'Charge'), idempotencyKey);
      const itemSelector =
        typeof selector === 'string' ? { jsonataItemSelector: selector } : { itemSelector: selector };
      const map = MapState.jsonata(stack, 'Each', itemSelector);
      machine(stack, map.itemProcessor(place(stack, pay)), pay);
    });
  const problem = expect.stringContaining('is the same for all items');

  test.each<[IdempotencyKey, boolean]>([
    ['{% $states.input.batch.id %}', false],
    [['{% $states.input.run %}', '{% $states.input.kind %}'], false],
    [Key.ofPayload("{% {'b': $states.input.batch} %}"), false],
    ['{% $states.input.order.id %}', true],
    [['{% $states.input.batch.id %}', '{% $states.input.order.id %}'], true],
    ['{% $states.input.all.Map.Item.Index %}', true],
    [Key.ofPayload('{% $states.input %}'), true],
  ])('%j: rejected if it reads none that is of the item', (key, isAccepted) => {
    const expected = isAccepted ? undefined : problem;

    expect(selected(key, first)).toEqual(expected);
    expect(selected(key, first, AS_TEXT)).toEqual(expected);
    expect(selected(key, behindPass)).toEqual(expected);
    expect(selected(key, inParallel)).toEqual(expected);
  });

  const BATCH = '{% $states.input.batch.id %}';

  test.each<[string, Place, object | string, boolean]>([
    ['behind a state that makes another input', behindOther, MEMBERS, true],
    ['in a Parallel that makes another input', inParallelOf({ batch: 1 }), MEMBERS, true],
    [
      'in a Parallel behind a Wait',
      (stack, pay) => {
        const wait = Wait.jsonata(stack, 'A second', { time: WaitTime.duration(Duration.seconds(1)) });
        return wait.next(Parallel.jsonata(stack, 'Both').branch(pay));
      },
      MEMBERS,
      false,
    ],
    [
      'behind one way of a Choice',
      (stack, pay) =>
        Choice.jsonata(stack, 'Paid?')
          .when(Condition.jsonata('{% $states.input.batch.paid %}'), Pass.jsonata(stack, 'Nothing'))
          .otherwise(pay),
      MEMBERS,
      false,
    ],
    ['of a selector without the item', first, '{% $states.input %}', false],
    [
      'of a selector that merges the item',
      first,
      '{% $merge([$states.input, $states.context.Map.Item.Value]) %}',
      true,
    ],
    [
      'of a selector with a member that is of the item',
      first,
      "{% {'batch': $states.context.Map.Item.Value} %}",
      true,
    ],
    [
      'of a selector with a member that is too complex',
      first,
      "{% {'batch': $states.context ~> |$|{}|} %}",
      true,
    ],
  ])('a key of the batch %s', (_, place, selector, isAccepted) => {
    expect(selected(BATCH, place, selector)).toEqual(isAccepted ? undefined : problem);
  });
});

describe('a variable of an IdempotentFragment', () => {
  const ahead = (variable: string) => (stack: Stack) => {
    const pay = fragment(stack, 'Pay');
    machine(stack, sets(stack, variable).next(pay), pay);
  };
  const aheadOfItsMap = (stack: Stack) => {
    const pay = fragment(stack, 'Pay');
    machine(stack, sets(stack, 'claimId').next(MapState.jsonata(stack, 'Each', {}).itemProcessor(pay)), pay);
  };
  const after = (stack: Stack) => {
    const pay = fragment(stack, 'Pay');
    machine(stack, pay.next(sets(stack, 'owner')), pay);
  };
  const caught = (isRepeated: boolean) => (stack: Stack) => {
    const pay = fragment(stack, 'Pay');
    pay.addCatch(isRepeated ? pay : Pass.jsonata(stack, 'Go on'), { assign: { record: 1 } });
    machine(stack, pay, pay);
  };
  const inTheStep = (stack: Stack) => {
    const pay = fragment(stack, 'Pay', sets(stack, 'redrives'));
    machine(stack, pay, pay);
  };
  const nested = (stack: Stack) => {
    const inner = fragment(stack, 'Pay');
    const outer = fragment(stack, 'Order', inner);
    machine(stack, outer, outer, inner);
  };
  const inAWorkflow = (stack: Stack) => {
    const inner = fragment(stack, 'Pay');
    inner.grantTo(new IdempotentWorkflow(stack, 'W', { idempotencyKey: KEY, step: inner }).stateMachine);
  };

  test.each<[string, (stack: Stack) => void, string]>([
    [
      'before the fragment',
      ahead('attempt'),
      "[Test/Orders] state 'Pay: Claim record' sets `attempt`, which",
    ],
    ['before the Map around it', aheadOfItsMap, "state 'Pay: Make a claim ID' sets `claimId`, which"],
    ['by a catcher that leads back', caught(true), "state 'Pay: Read record' sets `record`, which"],
    ['by its step', inTheStep, "state 'Sets' sets `redrives`, which"],
    ['by a fragment in its step', nested, "state 'Pay: Make a claim ID' sets `claimId`, which"],
    [
      'by a fragment in the step of a workflow',
      inAWorkflow,
      "state 'Pay: Claim record' sets `idempotencyKey`",
    ],
  ])('set %s: rejected at synth, once', (_, define, problem) => {
    const found = problemOf(define);
    expect(found).toContain(problem);
    expect(found?.match(/ sets /g)).toHaveLength(1);
  });

  test.each<[string, (stack: Stack) => void]>([
    ['by another name before the fragment', ahead('orderNumber')],
    ['after the fragment', after],
    ['by a catcher that goes on', caught(false)],
  ])('set %s: accepted', (_, define) => {
    expect(problemOf(define)).toBeUndefined();
  });
});

test('a variable of an IdempotentWorkflow that its chain sets: rejected at synth', () => {
  const problem = problemOf(stack => {
    new IdempotentWorkflow(stack, 'W', { idempotencyKey: KEY, step: sets(stack, 'attempt') });
  });
  expect(problem).toContain("state 'Sets' sets `attempt`, which");
});

test('a definition with names and numbers that are known at deploy time only: read all the same', () => {
  const problem = problemOf(stack => {
    const pay = new IdempotentFragment(stack, 'Pay', {
      table: new RecordTable(stack, 'Records'),
      idempotencyKey: KEY,
      step: someFunction(stack),
    });
    const count = new CfnParameter(stack, 'Count', { type: 'Number' }).valueAsNumber;
    const first = Pass.jsonata(stack, 'First', { outputs: { count } });
    machine(stack, first.next(sets(stack, 'attempt')).next(pay), pay);
  });
  expect(problem).toContain("state 'Pay: Claim record' sets `attempt`, which");
});
