import { readFileSync } from 'node:fs';
import path from 'node:path';
import { exampleOf } from '../../../cli/app/example';
import { commentWith, type DeployedWorkflow } from '../../../state-machine/contract/deployed-settings';
import { withSettings } from '../../support/with-settings';

const PAY = 'arn:aws:states:us-east-1:111111111111:stateMachine:Pay';
const DISPATCHER = `${PAY}Dispatcher`;
type Machine = Parameters<typeof exampleOf>[0][number];
type Rule = Parameters<typeof exampleOf>[1][number];

function machine(arn: string, definitionText: string): Machine {
  return {
    arn,
    name: arn.split(':').at(-1) ?? '',
    type: 'STANDARD',
    definitionText,
    logicalId: 'M',
    stack: 'S',
  };
}

/** The workflow of a reviewed definition, with other settings. */
function workflow(name: string, changes: Partial<DeployedWorkflow> = {}): Machine {
  const file = path.join(__dirname, `../../golden/${name}.asl.json`);
  const text = readFileSync(file, 'utf8');
  return machine(PAY, Object.keys(changes).length === 0 ? text : withSettings(text, changes));
}

function rule(target: string, pattern: Rule['pattern']): Rule {
  const targets = [{ id: 'T', arn: target }];
  const at = { logicalId: 'R', stack: 'S', arn: 'arn', name: 'R', eventBusName: 'default', enabled: true };
  return { ...at, targets, ...(pattern && { pattern }) };
}

describe('an example to begin with', () => {
  test('the key and the payload: where the expressions read them', () => {
    const example = exampleOf([workflow('payload-and-retention')], []);

    expect(example).toMatchObject({
      stateMachineArn: PAY,
      input: { id: 'id-1', amount: 12.5 },
      key: ['id-1'],
      workflowName: null,
      about: expect.stringMatching(/^The key of Pay is at \$states.input.id\. The values are examples/),
    });
  });

  test('a composite key: every part of it', () => {
    expect(exampleOf([workflow('composite-key')], [])).toMatchObject({
      input: { shop: 'shop-1', id: 'id-1' },
      key: ['shop-1', 'id-1'],
    });
  });

  test("a payload's hash: a payload that has something in it", () => {
    expect(
      exampleOf([workflow('handler-and-evidence', { payload: '$states.input.detail.note' })], []),
    ).toMatchObject({
      input: { detail: { note: 'note-1' } },
      key: null,
      about: expect.stringMatching(
        /^The key of Pay is the hash of \$states\.input\.detail\. The values are examples/,
      ),
    });
    const alone = { payload: '$states.input.other', key: { payload: '$states.input.form' } };
    expect(exampleOf([workflow('handler-and-evidence', alone)], [])?.input).toMatchObject({ form: 'form-1' });
  });

  test('a rule that starts its recovery: says nothing of what it takes', () => {
    const recovery = machine(`${PAY}Recovery`, JSON.stringify({ StateMachineArn: PAY }));
    const pattern = { source: ['aws.states'], 'detail-type': ['Step Functions Execution Status Change'] };

    const example = exampleOf([workflow('minimal'), recovery], [rule(`${PAY}Recovery`, pattern)]);

    expect(example?.input).toEqual({ id: 'id-1' });
  });

  test('a rule that leads to it through a dispatcher: what its pattern wants of an event', () => {
    const key = { key: '$states.input.detail.invoiceId' };
    const dispatcher = machine(DISPATCHER, JSON.stringify({ StateMachineArn: PAY }));
    const pattern = { source: [{ prefix: 'x' }, 'books'], 'detail-type': ['InvoiceSent'] };
    const rules = [rule('arn:other', { source: ['other'] }), rule(DISPATCHER, pattern)];

    expect(exampleOf([dispatcher, workflow('minimal', key)], rules)).toMatchObject({
      stateMachineArn: PAY,
      input: { source: 'books', 'detail-type': 'InvoiceSent', detail: { invoiceId: 'invoice-1' } },
      key: ['invoice-1'],
    });
  });

  test.each([
    ['the body as a whole', '$states.input.body', { number: 1 }],
    ['a member of the body', '$states.input.body.amount', { amount: 12.5 }],
  ])('requests by HTTP, %s: an object, as the front door takes no other', (_case, payload, body) => {
    const key = { key: '$states.input.idempotencyKey', payload };
    const Comment = commentWith('Answers', { machine: 'frontDoor' });
    const States = { 'Start the request': { Arguments: { StateMachineArn: PAY } } };
    const frontDoor = machine(`${PAY}FrontDoor`, JSON.stringify({ Comment, States }));

    expect(exampleOf([workflow('payload-and-retention', key), frontDoor], [])).toMatchObject({
      input: { idempotencyKey: 'idempotency-1', body },
      request: body,
      frontDoor: `${PAY}FrontDoor`,
      key: ['idempotency-1'],
    });
  });

  test('a key that is computed: says so, and names no key', () => {
    const key = { key: '$lowercase($states.input.id)' };

    expect(exampleOf([workflow('minimal', key)], [])).toMatchObject({
      input: { id: 'id-1' },
      key: null,
      about: expect.stringContaining(
        'The key of Pay is $lowercase($states.input.id), so the input is a guess',
      ),
    });
  });

  test('several workflows: named', () => {
    const other = { ...workflow('minimal'), arn: `${PAY}2`, name: 'Pay2' };

    expect(exampleOf([workflow('minimal'), other], [])).toMatchObject({ workflowName: 'Pay' });
  });

  test.each([
    ['a machine of somebody else', machine(PAY, '{"StartAt":"A","States":{"A":{"Type":"Succeed"}}}')],
    ['a workflow that is part of a larger machine', workflow('fragment')],
  ])('%s: its input is unknown', (_case, given) => {
    expect(exampleOf([given], [])).toMatchObject({
      input: {},
      key: null,
      about: expect.stringMatching(/does not show/),
    });
  });

  test('no state machine: none', () => {
    expect(exampleOf([], [])).toBeUndefined();
  });
});
