import { App, Duration, Stack } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import {
  type CatchProps,
  Choice,
  Condition,
  CustomState,
  DefinitionBody,
  DistributedMap,
  type IChainable,
  ItemBatcher,
  JsonPath,
  Map as MapState,
  Parallel,
  Pass,
  QueryLanguage,
  S3JsonItemReader,
  StateMachine,
  TaskInput,
  Wait,
  WaitTime,
} from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { IdempotentFragment, IdempotentWorkflow, RecordTable } from '../../infra/index';
import { type Definition, definitionIn, newStack, someFunction, synthesized } from '../support/synthesize';

const KEY = '{% $states.input.id %}';

type MakeChain = (stack: Stack) => IChainable;

const PASS = { Type: 'Pass', End: true };

const custom =
  (stateJson: object, id = 'First'): MakeChain =>
  stack =>
    new CustomState(stack, id, { stateJson });

/** Chains with one sign each that a state is written in JSONPath, and what that sign is called. */
const IN_JSONPATH: readonly [string, MakeChain, string][] = [
  ['parameters', stack => new Pass(stack, 'First', { parameters: { a: 1 } }), '`Parameters`'],
  ['a path', stack => new Pass(stack, 'First', { inputPath: '$.input' }), '`InputPath`'],
  [
    'a wait by a path',
    stack => new Wait(stack, 'First', { time: WaitTime.secondsPath('$.input.a') }),
    '`SecondsPath`',
  ],
  [
    'a rule',
    stack => new Choice(stack, 'First').when(Condition.stringEquals('$.a', 'b'), Pass.jsonata(stack, 'Then')),
    'a rule with `Variable`',
  ],
  ['a language of its own', custom({ Type: 'Pass', QueryLanguage: 'JSONPath' }), '`QueryLanguage`'],
  ['a variable', custom({ Type: 'Pass', Assign: { 'a.$': '$.a' } }), '`a.$`'],
  [
    'what is told of an item',
    stack =>
      new MapState(stack, 'First', { itemSelector: { 'one.$': '$$.Map.Item.Value' } }).itemProcessor(
        Pass.jsonata(stack, 'One'),
      ),
    '`one.$`',
  ],
  [
    'where the items are read',
    stack =>
      new DistributedMap(stack, 'First', {
        itemReader: new S3JsonItemReader({
          bucket: Bucket.fromBucketName(stack, 'Bucket', 'items'),
          key: 'items.json',
        }),
      }).itemProcessor(Pass.jsonata(stack, 'One')),
    '`Parameters`',
  ],
  [
    'a catcher',
    stack => {
      const parallel = new Parallel(stack, 'First').branch(Pass.jsonata(stack, 'Inner'));
      return parallel.addCatch(Pass.jsonata(stack, 'Caught'), { resultPath: '$.error' });
    },
    'a catcher with `ResultPath`',
  ],
  ['an iterator', custom({ Type: 'Map', Iterator: { StartAt: 'S', States: { S: PASS } } }), '`Iterator`'],
  [
    'a state within a branch',
    stack => Parallel.jsonata(stack, 'Both').branch(new Pass(stack, 'First', { resultPath: '$.a' })),
    '`ResultPath`',
  ],
];

/** The workflow of a chain, as it is rendered. */
function workflowOf(chain: MakeChain): Definition & { readonly QueryLanguage?: string } {
  return definitionIn(
    synthesized(stack => {
      const step = chain(stack);
      new IdempotentWorkflow(stack, 'Pay', { idempotencyKey: KEY, step, stepTimeout: Duration.minutes(1) });
    }),
  );
}

describe('the language of a workflow', () => {
  test.each(IN_JSONPATH)(
    'its step is a chain in JSONPath, by %s: JSONPath, its own states in JSONata',
    (_, chain) => {
      const { QueryLanguage: language, States } = workflowOf(chain);

      expect(language).toBe('JSONPath');
      expect(Object.keys(States)).toContain('Record the result');
      const languages = Object.values(States).map(state => state['QueryLanguage']);
      expect(new Set(languages)).toEqual(new Set(['JSONata']));
    },
  );

  test.each<[string, MakeChain]>([
    ['in JSONata', stack => Pass.jsonata(stack, 'First', { outputs: '{% 1 %}' })],
    ['that both languages read alike', stack => new Pass(stack, 'First')],
    [
      'whose data has names as of JSONPath',
      stack =>
        DistributedMap.jsonata(stack, 'First', {
          itemBatcher: new ItemBatcher({ maxItemsPerBatch: 2, batchInput: { Result: 1, Parameters: {} } }),
        }).itemProcessor(Pass.jsonata(stack, 'One')),
    ],
    ['in JSONata that do not say so', custom({ Type: 'Pass', Output: '{% 1 %}' })],
  ])('its step is of states %s: JSONata, and no state says another', (_, chain) => {
    const { QueryLanguage: language, States } = workflowOf(chain);

    expect(language).toBe('JSONata');
    const languages = Object.values(States).map(state => state['QueryLanguage']);
    expect(new Set(languages)).toEqual(new Set([undefined]));
  });

  test('an Express workflow: JSONPath as well', () => {
    const template = synthesized(stack => {
      const step = new Pass(stack, 'First', { resultPath: '$.a' });
      new IdempotentWorkflow(stack, 'Pay', {
        idempotencyKey: KEY,
        step,
        stepTimeout: Duration.minutes(1),
        type: 'EXPRESS',
      });
    });
    expect(definitionIn(template)).toMatchObject({ QueryLanguage: 'JSONPath' });
  });
});

/** What synth says; empty where it accepts. */
function problemOf(define: (stack: Stack) => void): string {
  const app = new App({ context: { 'aws:cdk:bundling-stacks': [] } });
  const stack = new Stack(app, 'Test');
  try {
    define(stack);
    app.synth();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

const inAWorkflow = (chain: MakeChain) => (stack: Stack) => {
  new IdempotentWorkflow(stack, 'Pay', {
    idempotencyKey: KEY,
    step: chain(stack),
    stepTimeout: Duration.minutes(1),
  });
};

const inAMachine = (chain: MakeChain, language?: QueryLanguage) => (stack: Stack) => {
  const table = new RecordTable(stack, 'Records');
  const stepTimeout = Duration.minutes(1);
  const pay = new IdempotentFragment(stack, 'Pay', {
    table,
    idempotencyKey: KEY,
    step: chain(stack),
    stepTimeout,
  });
  const orders = new StateMachine(stack, 'Orders', {
    definitionBody: DefinitionBody.fromChainable(pay),
    ...(language && { queryLanguage: language }),
  });
  pay.grantTo(orders);
};

describe('a state in JSONata of a chain that is in JSONPath', () => {
  const behind =
    (state: MakeChain): MakeChain =>
    stack => {
      const first = new Pass(stack, 'First', { resultPath: '$.a' });
      return first.next(state(stack));
    };
  const unmarked: readonly [string, MakeChain, string][] = [
    ['an output', custom({ Type: 'Pass', Output: { a: 1 } }, 'Then'), '`Output`'],
    [
      'arguments',
      custom({ Type: 'Task', Resource: 'arn:aws:states:::sqs:sendMessage', Arguments: {} }, 'Then'),
      '`Arguments`',
    ],
    [
      'a rule',
      stack => new Choice(stack, 'Then').when(Condition.jsonata('{% true %}'), new Pass(stack, 'End')),
      '`Condition`',
    ],
    [
      'an expression in its parameters',
      stack =>
        new LambdaInvoke(stack, 'Then', {
          lambdaFunction: someFunction(stack),
          payload: TaskInput.fromText('{% $states.input.order %}'),
        }),
      '"{% $states.input.order %}"',
    ],
    ['an expression as its time', custom({ Type: 'Wait', Seconds: '{% 1 %}' }, 'Then'), '"{% 1 %}"'],
  ];

  test.each(unmarked)('%s, and the state does not say so: rejected in a workflow', (_, state, sign) => {
    const problem = problemOf(inAWorkflow(behind(state)));

    expect(problem).toContain(
      `Test/Pay: state 'Then' of \`step\` has ${sign}, which is JSONata, but it is not marked as JSONata`,
    );
    expect(problem).toContain(
      "state 'First' is in JSONPath, because it has `ResultPath`. Create the state with ",
    );
  });

  test.each(unmarked)(
    '%s, and the state does not say so: rejected in a machine in JSONPath',
    (_, state, sign) => {
      const problem = problemOf(inAMachine(state));

      expect(problem).toContain(
        `state 'Then' of \`step\` has ${sign}, which is JSONata, but it is not marked as JSONata`,
      );
      expect(problem).toContain('Test/Orders is in JSONPath. Create the state with ');
    },
  );

  test('the state says so: accepted', () => {
    const chain = behind(stack => Pass.jsonata(stack, 'Then', { outputs: '{% $states.input.a %}' }));

    expect(problemOf(inAWorkflow(chain))).toBe('');
    expect(problemOf(inAMachine(chain))).toBe('');
  });

  test.each([
    ['a workflow', inAWorkflow],
    ['a machine in JSONPath', inAMachine],
    ['a machine in JSONata', (chain: MakeChain) => inAMachine(chain, QueryLanguage.JSONATA)],
  ])(
    'the state says so, and its catcher is in JSONPath, in %s: rejected with the way to say it',
    (_, within) => {
      const problem = problemOf(
        within(stack =>
          LambdaInvoke.jsonata(stack, 'Call', { lambdaFunction: someFunction(stack) }).addCatch(
            Pass.jsonata(stack, 'Caught'),
            { resultPath: JsonPath.DISCARD },
          ),
        ),
      );

      expect(problem).toContain(
        "state 'Call' of `step` is marked as JSONata, but has a catcher with `ResultPath`",
      );
      expect(problem).toContain('Use `outputs`');
    },
  );
});

describe('an IdempotentFragment', () => {
  test.each(IN_JSONPATH)('its step is in JSONPath, by %s: accepted in a machine in JSONPath', (_, chain) => {
    expect(problemOf(inAMachine(chain))).toBe('');
    expect(problemOf(inAMachine(chain, QueryLanguage.JSON_PATH))).toBe('');
  });

  test.each(IN_JSONPATH)(
    'its step is in JSONPath, by %s: rejected in a machine in JSONata',
    (_, chain, sign) => {
      const problem = problemOf(inAMachine(chain, QueryLanguage.JSONATA));

      expect(problem).toContain(
        `state 'First' of \`step\` is written in JSONPath, because it has ${sign}, which`,
      );
      expect(problem).toContain('Test/Orders is in JSONata. Leave out `queryLanguage` of the state machine');
    },
  );

  test('in a machine in JSONPath: it and its states say that they are in JSONata', () => {
    const { States, ...root } = definitionIn(synthesized(inAMachine(stack => new Pass(stack, 'S'))));

    expect(root).not.toHaveProperty('QueryLanguage');
    expect(States['Pay']).toMatchObject({ Type: 'Parallel', QueryLanguage: 'JSONata' });
    const { Branches: [branch] = [] } = States['Pay'] as unknown as { readonly Branches: Definition[] };
    const languages = Object.values(branch?.States ?? {}).map(state => state['QueryLanguage']);
    expect(new Set(languages)).toEqual(new Set(['JSONata']));
  });

  test.each<[string, CatchProps, RegExp]>([
    [
      'placed by',
      { resultPath: '$.error' },
      /^`resultPath` works only in JSONPath.*`outputs` instead: '\{% \$merge/,
    ],
    [
      'told by',
      { assign: { a: JsonPath.stringAt('$.Error') } },
      /^`addCatch` .* where \$\.Error is plain text/,
    ],
  ])('an error %s a path: rejected with the way to say it in JSONata', (_, props, problem) => {
    const stack = newStack();
    const table = new RecordTable(stack, 'Records');
    const step = someFunction(stack);
    const pay = new IdempotentFragment(stack, 'Pay', { table, idempotencyKey: KEY, step });

    expect(() => pay.addCatch(new Pass(stack, 'Caught'), props)).toThrow(problem);
  });
});
