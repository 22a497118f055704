import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AttributeType, type ITable, Table, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { DefinitionBody, QueryLanguage, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { IdempotentFragment, IdempotentWorkflow, Source } from '../../infra/index';
import { someFunction, statementsOf } from '../support/synthesize';

const KEY = { idempotencyKey: '{% $states.input.detail.id %}' };

function stackIn(region = 'eu-west-1'): Stack {
  return new Stack(new App(), 'Test', { env: { region, account: '111111111111' } });
}

function workflowOn(table: ITable, stack: Stack, scope?: string): IdempotentWorkflow {
  return new IdempotentWorkflow(stack, 'Pay', {
    ...KEY,
    table,
    step: someFunction(stack),
    ...(scope !== undefined && { scope }),
  });
}

function fragmentOn(table: ITable, stack: Stack, scope?: string): IdempotentFragment {
  const step = someFunction(stack);
  return new IdempotentFragment(stack, 'Pay', { ...KEY, table, step, ...(scope !== undefined && { scope }) });
}

describe('a table that the app does not define', () => {
  test.each([
    ['workflow', workflowOn],
    ['fragment', fragmentOn],
  ])('%s without a scope: rejected with the remedy', (_, on) => {
    const stack = stackIn();
    const table = Table.fromTableName(stack, 'Table', 'records');

    expect(() => on(table, stack)).toThrow(
      /`scope` is required if the app does not define the table.*is Pay/,
    );
    expect(() => on(table, stackIn(), 'Payments')).not.toThrow();
  });

  test('one of the app itself: the id of the construct is the scope', () => {
    const stack = stackIn();
    const table = new TableV2(stack, 'Table', {
      partitionKey: { name: 'idempotencyKey', type: AttributeType.STRING },
    });

    expect(workflowOn(table, stack).recordScope).toBe('Pay');
  });
});

describe('a table with replicas', () => {
  const partitionKey = { name: 'idempotencyKey', type: AttributeType.STRING };
  const made: [string, (stack: Stack) => ITable, string][] = [
    [
      'a TableV2 that gets one later',
      stack => {
        const table = new TableV2(stack, 'Table', { partitionKey });
        table.addReplica({ region: 'us-east-1' });
        return table;
      },
      'us-east-1, eu-west-1',
    ],
    [
      'a Table with replication regions',
      stack => new Table(stack, 'Table', { partitionKey, replicationRegions: ['us-east-1'] }),
      'us-east-1',
    ],
  ];
  test.each(made)('%s: rejected at synth, with its regions', (_, tableIn, regions) => {
    const stack = stackIn();
    workflowOn(tableIn(stack), stack);

    expect(() => Template.fromStack(stack)).toThrow(
      new RegExp(`\`table\` must be in one region.*Test/Table has replicas.*${regions}\\)`),
    );
  });

  test('a fragment: rejected as well', () => {
    const stack = stackIn();
    const table = new TableV2(stack, 'Table', { partitionKey, replicas: [{ region: 'us-east-1' }] });
    const pay = fragmentOn(table, stack);
    const definitionBody = DefinitionBody.fromChainable(pay);
    const queryLanguage = QueryLanguage.JSONATA;
    pay.grantTo(new StateMachine(stack, 'Orders', { definitionBody, queryLanguage }));

    expect(() => Template.fromStack(stack)).toThrow('`table` must be in one region');
  });

  test('a TableV2 without: accepted', () => {
    const stack = stackIn();
    workflowOn(new TableV2(stack, 'Table', { partitionKey }), stack);

    expect(() => Template.fromStack(stack)).not.toThrow();
  });
});

describe('what the roles may do with a table', () => {
  test.each([
    ['Payments', 'Payments#*'],
    ['a*b?$c', 'a${*}b${?}${$}c#*'],
    // A policy is written in Latin-1.
    ['Zahlung-für-決済-€', 'Zahlung-für-*-*#*'],
  ])('scope %s: keys like %s, of the workflow, the dispatcher and recovery', (scope, pattern) => {
    const stack = stackIn();
    const table = Table.fromTableName(stack, 'Table', 'records');
    workflowOn(table, stack, scope).startFrom(
      Source.eventBridge(new EventBus(stack, 'Bus'), { source: ['shop'] }),
    );

    const statements = statementsOf(Template.fromStack(stack), /./).filter(({ Action }) =>
      [Action].flat().some(action => action.startsWith('dynamodb:')),
    );
    const actions = statements.flatMap(({ Action }) => Action);
    expect(new Set(actions)).toEqual(
      new Set(['dynamodb:PutItem', 'dynamodb:GetItem', 'dynamodb:UpdateItem']),
    );
    expect(actions.filter(action => action === 'dynamodb:GetItem')).toHaveLength(3);
    for (const { Condition } of statements)
      expect(Condition).toEqual({ 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [pattern] } });
  });
});
