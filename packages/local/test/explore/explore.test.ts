import { type ExploreOptions, explore, replay, type Seen } from '../../explore/explore';
import type { Json, JsonObject } from '../../json/json';
import { readAssembly } from '../../load-assembly';
import { synthesizeShop } from '../testing/shop';
import {
  CHARGED_AGAIN,
  CLAIM_FIRST,
  CLAIM_FIRST_IN_JSONPATH,
  ORDER,
  PAYMENTS,
  READ_THEN_WRITE,
  TIMED,
} from './payments';

const charges = ({ effects }: Seen) => effects.filter(({ stateName }) => stateName === 'Charge').length;
const chargedOnce = (seen: Seen) => charges(seen) <= 1 || `charged ${charges(seen)} times`;
const options = (definition: Json, more: Partial<ExploreOptions> = {}): ExploreOptions => ({
  definition,
  inputs: [ORDER],
  tables: PAYMENTS,
  invariant: chargedOnce,
  ...more,
});

describe('a workflow that reads and then writes', () => {
  const { violation, isComplete } = explore(options(READ_THEN_WRITE, { faults: 0 }));

  test('two deliveries at the same time: a double charge, told step by step', () => {
    expect(isComplete).toBe(false);
    expect(violation?.message).toBe('charged 2 times');
    expect(violation?.trace).toBe(
      [
        '  1. the input is delivered: execution 1',
        '  2. the input is delivered again: execution 2',
        '  3. execution 1: "Read payment" is called',
        '     answers {}',
        '  4. execution 1: "Charge" is called',
        '     answers {"Payload":null,"StatusCode":200}',
        '  5. execution 2: "Read payment" is called',
        '     answers {}',
        '  6. execution 2: "Charge" is called',
        '     answers {"Payload":null,"StatusCode":200}',
        '  => charged 2 times',
        '     execution 1: RUNNING',
        '     execution 2: RUNNING',
      ].join('\n'),
    );
  });

  test('its interleaving: leads there again, and nowhere with a workflow that claims', () => {
    const interleaving = violation?.interleaving ?? [];
    const replayed = replay(options(READ_THEN_WRITE, { faults: 0 }), interleaving);
    expect(replayed.violation?.interleaving).toEqual(interleaving);
    expect(charges(replayed.seen)).toBe(2);

    expect(() => replay(options(CLAIM_FIRST), interleaving)).toThrow(
      /^step 3 cannot happen: execution 1: "Read payment" is called\. Can happen: .*"Claim" is called/,
    );
  });

  test('one delivery: no double charge; with a fault, there is none either', () => {
    expect(explore(options(READ_THEN_WRITE, { deliveries: 1 })).violation).toBeUndefined();
  });
});

describe('a workflow that claims first', () => {
  test('three deliveries and two faults: no double charge, in all that can happen', () => {
    const { violation, isComplete, states } = explore(options(CLAIM_FIRST, { deliveries: 3, faults: 2 }));

    expect(violation).toBeUndefined();
    expect(isComplete).toBe(true);
    expect(states).toBe(554);
  });

  test('a retry of the charge: found out by a lost answer', () => {
    const { violation } = explore(options(CHARGED_AGAIN));

    expect(violation?.interleaving).toContain('execution 1: "Charge" is called, its answer is lost');
  });

  test('a charge by the end: not if the owner is stopped', () => {
    const invariant = (seen: Seen) => !seen.isAtRest || charges(seen) === 1 || 'never charged';
    const { violation } = explore(options(CLAIM_FIRST, { invariant }));

    expect(violation).toMatchObject({ message: 'never charged' });
    expect(explore(options(CLAIM_FIRST, { invariant, faults: 0 })).violation).toBeUndefined();
  });
});

test('a workflow in JSONPath that claims first: no double charge, in all that can happen', () => {
  expect(explore(options(CLAIM_FIRST_IN_JSONPATH))).toMatchObject({ isComplete: true });

  const invariant = (seen: Seen) => !seen.isAtRest || charges(seen) === 1;
  const { violation } = explore(options(CLAIM_FIRST_IN_JSONPATH, { invariant, faults: 0 }));
  expect(violation).toBeUndefined();
});

describe('an execution that has failed though it has charged', () => {
  test('is redriven: it charges again', () => {
    const { violation } = explore(options(CLAIM_FIRST, { deliveries: 1, redrives: 1 }));

    expect(violation?.interleaving).toEqual([
      'the input is delivered: execution 1',
      'execution 1: "Claim" is called',
      'execution 1: "Charge" is called, its answer is lost',
      'execution 1 is redriven',
      'execution 1: "Charge" is called',
    ]);
  });
});

describe('a call that is slow', () => {
  test('over the timeout of its state: it is carried out late, beside its retry', () => {
    const { violation } = explore(options(TIMED, { deliveries: 1 }));

    expect(violation?.interleaving).toEqual([
      'the input is delivered: execution 1',
      '10 s pass: the time of execution 1 has come, a call is slow',
      'the call of "Charge" that execution 1 had made arrives late',
      '1 s pass: the time of execution 1 has come',
      'execution 1: "Charge" is called',
    ]);
  });

  test('over the timeout of its state, where calls end in time: it is not carried out, and its retry alone is', () => {
    const { violation, isComplete } = explore(options(TIMED, { deliveries: 1, callsEndInTime: true }));

    expect([violation, isComplete]).toEqual([undefined, true]);
  });
});

describe('executions whose time comes at the same moment', () => {
  const waits = { ...(READ_THEN_WRITE as JsonObject) };
  const States = { ...(waits['States'] as JsonObject) };
  const definition = (Seconds: number): Json => ({
    ...waits,
    StartAt: 'Wait',
    States: { Wait: { Type: 'Wait', Seconds, Next: 'Read payment' }, ...States },
  });

  test('go on in any order, which is not a fault: a double charge', () => {
    expect(explore(options(definition(1), { faults: 0 })).violation?.interleaving).toEqual([
      'the input is delivered: execution 1',
      'the input is delivered again: execution 2',
      '1 s pass: the time of execution 1 has come',
      'execution 1: "Read payment" is called',
      'execution 1: "Charge" is called',
      '0 s pass: the time of execution 2 has come',
      'execution 2: "Read payment" is called',
      'execution 2: "Charge" is called',
    ]);
  });

  test('within one execution: told apart', () => {
    const branch = (name: string, Seconds: number) => ({
      StartAt: name,
      States: { [name]: { Type: 'Wait', Seconds, End: true } },
    });
    const Both = { Type: 'Parallel', Branches: [branch('A', 1), branch('B', 1)], End: true };
    const both = { QueryLanguage: 'JSONata', StartAt: 'Both', States: { Both } };
    const invariant = ({ isAtRest }: Seen) => !isAtRest;

    const { violation } = explore(options(both, { deliveries: 1, faults: 0, invariant }));
    expect(violation?.interleaving.slice(1)).toEqual([
      '1 s pass: the time of execution 1 (1) has come',
      '0 s pass: the time of execution 1 has come',
    ]);
  });
});

describe('what a search is given', () => {
  test('effects: what they answer is what the workflow goes on with, a failure is one', () => {
    const declined = { Charge: () => ({ error: 'CardDeclined' }) };
    const invariant = ({ executions, effects }: Seen) => {
      expect(effects).toEqual([]);
      for (const { error } of executions) expect([undefined, 'CardDeclined']).toContain(error);
    };

    expect(explore(options(CLAIM_FIRST, { effects: declined, invariant, faults: 0 }))).toMatchObject({
      isComplete: true,
    });
  });

  test('an invariant that throws, or answers false: violated', () => {
    const invariant = () => {
      throw new Error('not so');
    };
    expect(explore(options(CLAIM_FIRST, { invariant })).violation).toMatchObject({
      message: 'not so',
      interleaving: [],
    });
    expect(explore(options(CLAIM_FIRST, { invariant: () => false })).violation?.message).toBe(
      'the invariant does not hold',
    );
  });

  test('items at the beginning: they are there; several inputs: each is delivered', () => {
    const tables = { Payments: { ...PAYMENTS.Payments, items: [{ orderId: { S: 'order-1' } }] } };
    const invariant = (seen: Seen) => charges(seen) === 0 || 'charged';
    expect(explore(options(CLAIM_FIRST, { tables, invariant })).violation).toBeUndefined();

    const inputs = [ORDER, { orderId: 'order-2' }];
    expect(explore(options(CLAIM_FIRST, { tables, inputs, invariant })).violation?.interleaving).toEqual([
      'input 2 is delivered: execution 1',
      'execution 1: "Claim" is called',
      'execution 1: "Charge" is called',
    ]);
  });

  test('a state machine of an assembly: with its tables', () => {
    const assembly = readAssembly(synthesizeShop());
    const definition = { assembly, stateMachine: 'Orders/Machine' };
    const { violation } = explore({ definition, inputs: [ORDER], invariant: chargedOnce });

    expect(violation?.message).toBe('charged 2 times');
    expect(violation?.trace).toContain('86400 s pass: the time of execution 1 has come');
  });

  test('more states than the search may have: it says that it is not complete', () => {
    const cut = { states: 10, isComplete: false, neverEntered: ['Done'] };
    expect(explore(options(CLAIM_FIRST, { maxStates: 10 }))).toEqual(cut);
  });

  test('calls of one state at the same time: told apart', () => {
    const Charge = {
      Type: 'Task',
      Resource: 'arn:aws:states:::sns:publish',
      Arguments: { TopicArn: 't', Message: 'm' },
      End: true,
    };
    const ItemProcessor = { StartAt: 'Charge', States: { Charge } };
    const States = { All: { Type: 'Map', Items: [1, 2], ItemProcessor, End: true } };
    const definition = { QueryLanguage: 'JSONata', StartAt: 'All', States };

    expect(explore(options(definition, { deliveries: 1, faults: 0 })).violation?.interleaving).toEqual([
      'the input is delivered: execution 1',
      'execution 1: "Charge" (1) is called',
      'execution 1: "Charge" is called',
    ]);
  });

  const asking = (Resource: string, Arguments: Json) => ({
    QueryLanguage: 'JSONata',
    StartAt: 'Ask',
    States: { Ask: { Type: 'Task', Resource: `arn:aws:states:::${Resource}`, Arguments, End: true } },
  });
  const QUERY = { TableName: 'Payments' };

  test.each<[string, Partial<ExploreOptions>, string]>([
    ['no input', { inputs: [] }, '`inputs` is empty; give at least one input'],
    ['a text that is no definition', { definition: '{}' }, 'the definition cannot be explored:\n'],
    [
      'a distributed Map',
      {
        definition: {
          StartAt: 'All',
          States: {
            All: {
              Type: 'Map',
              ItemProcessor: {
                ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
                StartAt: 'One',
                States: { One: { Type: 'Pass', End: true } },
              },
              End: true,
            },
          },
        },
      },
      'these states cannot be explored:\n  "All" is a distributed Map\ngive a definition that has a call',
    ],
    [
      'a state that waits for a token',
      {
        definition: asking('sqs:sendMessage.waitForTaskToken', {
          QueueUrl: 'q',
          MessageBody: '{% $states.context.Task.Token %}',
        }),
      },
      'these states cannot be explored:\n  "Ask" waits for something outside (sqs:sendMessage, callback)\n',
    ],
    [
      'a table that is not given',
      { tables: {} },
      'the state "Claim" uses the table Payments; `tables` has none',
    ],
    [
      'an operation on tables that is not known',
      { definition: asking('aws-sdk:dynamodb:query', QUERY) },
      '"Ask" calls aws-sdk:dynamodb:query; of tables only getItem, putItem, updateItem, deleteItem are known',
    ],
  ])('%s: rejected', (_what, more, message) => {
    expect(() => explore(options(CLAIM_FIRST, more))).toThrow(message);
  });
});
