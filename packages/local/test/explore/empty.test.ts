import { App, Stack } from 'aws-cdk-lib';
import { AttributeType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { DefinitionBody, QueryLanguage, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { DynamoAttributeValue, DynamoPutItem } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { type ExploreOptions, explore, type Seen } from '../../explore/explore';
import type { Json, JsonObject } from '../../json/json';
import { readAssembly } from '../../load-assembly';
import { CLAIM_FIRST, CLAIM_FIRST_IN_JSONPATH, ORDER, PAYMENTS } from './payments';

const chargedOnce = ({ effects }: Seen) => effects.length <= 1 || 'charged twice';
const explored = (more: Partial<ExploreOptions>) =>
  explore({ definition: CLAIM_FIRST, inputs: [ORDER], tables: PAYMENTS, invariant: chargedOnce, ...more });

/** The workflow that claims first, with something else in its text. */
function withText(definition: Json, from: string, to: string): Json {
  const text = JSON.stringify(definition);
  if (!text.includes(from)) throw new Error(`there is no ${from}`);
  return JSON.parse(text.replace(from, to));
}

/** A state machine that writes to a table whose keys are a text and a number. */
function synthesizeByNumber(): string {
  const app = new App();
  const stack = new Stack(app, 'Shop');
  const table = new Table(stack, 'Table', {
    partitionKey: { name: 'user', type: AttributeType.STRING },
    sortKey: { name: 'at', type: AttributeType.NUMBER },
  });
  const item = { user: DynamoAttributeValue.fromString('mary'), at: DynamoAttributeValue.fromNumber(7) };
  new StateMachine(stack, 'Machine', {
    definitionBody: DefinitionBody.fromChainable(DynamoPutItem.jsonata(stack, 'Write', { table, item })),
    queryLanguage: QueryLanguage.JSONATA,
  });
  return app.synth().directory;
}

describe('the states that no execution entered', () => {
  test('of a workflow that gets everywhere: none', () => {
    expect(explored({}).neverEntered).toEqual([]);
  });

  test('of one that pauses between its states: none either', () => {
    const { States } = CLAIM_FIRST as { States: JsonObject };
    const pass = (Next: string) => ({ Type: 'Pass', Next });
    const definition = {
      QueryLanguage: 'JSONata',
      StartAt: 'One',
      States: { One: pass('Two'), Two: pass('Claim'), ...States },
    };

    expect(explored({ definition }).neverEntered).toEqual([]);
  });

  test('of one that is claimed already: what it would have done', () => {
    const tables = { Payments: { ...PAYMENTS.Payments, items: [{ orderId: { S: 'order-1' } }] } };

    expect(explored({ tables, faults: 0 })).toMatchObject({ isComplete: true, neverEntered: ['Charge'] });
  });

  test('within a Map over nothing: they are named, too', () => {
    const { QueryLanguage, ...ItemProcessor } = CLAIM_FIRST as JsonObject;
    const Each = { Type: 'Map', Items: [], ItemProcessor, End: true };
    const definition = { QueryLanguage, StartAt: 'Each', States: { Each } } as JsonObject;

    expect(explored({ definition }).neverEntered).toEqual(['Claim', 'Charge', 'Done']);
  });
});

describe('a table that is declared with a key that no request has', () => {
  test('another name: rejected, with the key and with what was given', () => {
    expect(() => explored({ tables: { Payments: { partitionKey: 'nope' } } })).toThrow(
      'no request of the table Payments has its key nope (S), as DynamoDB demands: ' +
        'the state "Claim" gives orderId (S). Declare the keys that the table has; ' +
        'if this is intended, pass `mayBeEmpty: true`',
    );
  });

  test('a sort key that is missing, and another type: rejected', () => {
    const tables = { Payments: { partitionKey: 'orderId', sortKey: 'at' } };
    expect(() => explored({ tables })).toThrow('has its key orderId (S), at (S), as DynamoDB demands');

    const byNumber = { Payments: { partitionKey: { name: 'orderId', type: 'N' as const } } };
    expect(() => explored({ tables: byNumber })).toThrow('has its key orderId (N)');
  });

  test('the type that it has: explored as any', () => {
    const definition = withText(CLAIM_FIRST, '{"S":', '{"N":');
    const tables = { Payments: { partitionKey: { name: 'orderId', type: 'N' as const } } };

    expect(explored({ definition, tables, inputs: [{ orderId: '7' }] }).neverEntered).toEqual([]);
  });

  test('of an assembly: its own types count', () => {
    const definition = { assembly: readAssembly(synthesizeByNumber()), stateMachine: 'Shop/Machine' };
    const invariant = ({ executions }: Seen) => executions.every(({ status }) => status !== 'FAILED');

    expect(explore({ definition, inputs: [{}], invariant, faults: 0 })).toMatchObject({
      isComplete: true,
      neverEntered: [],
    });
  });

  test('one request has it, and another is rejected on purpose: no error', () => {
    const { States } = CLAIM_FIRST as { States: { Claim: JsonObject } & JsonObject };
    const Try = {
      ...States.Claim,
      Arguments: { TableName: 'Payments', Item: { id: { S: 'x' } } },
      Catch: [
        { ErrorEquals: ['DynamoDB.AmazonDynamoDBException'], Next: 'Claim', Output: '{% $states.input %}' },
      ],
    };
    const definition = { QueryLanguage: 'JSONata', StartAt: 'Try', States: { ...States, Try } };

    expect(explored({ definition })).toMatchObject({ isComplete: true, neverEntered: [] });
  });
});

describe('a workflow that fails without a fault, with any input', () => {
  test('a path that is missing: rejected, with the error', () => {
    const given = { definition: CLAIM_FIRST_IN_JSONPATH, inputs: [{}] };
    expect(() => explored(given)).toThrow(
      /^every execution that ran alone failed without a fault, .*:\n {2}FAILED States\.Runtime: .*orderId/,
    );
    expect(() => explored({ inputs: [{}] })).toThrow('FAILED States.QueryEvaluationError: ');
    expect(explored({ inputs: [{}], mayBeEmpty: true })).toMatchObject({ isComplete: true });
  });

  test('a call that Step Functions rejects after the claim: rejected', () => {
    const definition = withText(CLAIM_FIRST, '"Payload":"{% $states.input %}"', '"Payload":7');

    expect(() => explored({ definition })).toThrow('FAILED States.Runtime: ');
  });

  test('an answer that the definition cannot go on with: rejected, until an effect gives another', () => {
    const payload = '"Payload":"{% $states.input %}"},"Output":"{% $states.';
    const definition = withText(CLAIM_FIRST, `${payload}input %}`, `${payload}result.Payload.id %}`);

    expect(() => explored({ definition })).toThrow('and `effects` that answer');
    const effects = { Charge: () => ({ Payload: { id: 'c-1' } }) };
    expect(explored({ definition, effects }).isComplete).toBe(true);
  });

  test('one input of two: what comes of the other counts', () => {
    expect(explored({ inputs: [ORDER, {}], deliveries: 1 }).isComplete).toBe(true);
  });

  test('an error of its own, or a violation: told as ever', () => {
    const effects = { Charge: () => ({ error: 'CardDeclined' }) };
    expect(explored({ effects }).isComplete).toBe(true);

    const invariant = ({ executions }: Seen) => executions.every(({ status }) => status !== 'FAILED');
    expect(explored({ inputs: [{}], invariant }).violation?.trace).toMatch(
      /execution 1: FAILED States\.QueryEvaluationError: .* '\$states\.input\.orderId' .*$/,
    );
  });
});

test.each<[string, Json]>([
  ['a key that is a number', { orderId: 7 }],
  ['a payload that is a number', 7],
])('%s: makes no call here either, as Step Functions rejects it', (_, input) => {
  const Key = "{% {'S': $exists($states.input.orderId) ? $states.input.orderId : 'o-1'} %}";
  const claiming = withText(CLAIM_FIRST, '{"S":"{% $states.input.orderId %}"}', `"${Key}"`);
  const invariant = ({ executions }: Seen) =>
    executions.map(({ status, error }) => `${status} ${error}`).find(end => end.startsWith('FAILED')) ?? true;
  const { violation } = explored({ definition: claiming, inputs: [input], invariant, faults: 0 });

  expect(violation?.message).toBe('FAILED States.Runtime');
});
