import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { workflowTemplate } from '../../../infra/index';
import { exportedDefinition } from '../../../infra/template/exported-definition';
import { readDefinition } from '../../../proof/explore/definition-file';
import { explore } from '../../../proof/explore/search/search';

const directory = mkdtempSync(path.join(tmpdir(), 'onceflow-definition-'));
afterAll(() => rmSync(directory, { recursive: true }));

function written(name: string, document: object): string {
  const file = path.join(directory, name);
  writeFileSync(file, JSON.stringify(document));
  return file;
}

function golden(name: string) {
  return readDefinition(path.join(__dirname, `../../golden/${name}.asl.json`));
}

describe('a definition from a file', () => {
  test.each(['minimal', 'payload-and-retention', 'express', 'waits-at-most-once'])(
    '%s: it is explored',
    name => {
      expect(golden(name)).toMatchObject({ kind: 'subject' });
    },
  );

  test('a recovery is read with it, and a file that is not one is rejected', () => {
    const file = (name: string) => path.join(__dirname, `../../golden/${name}.asl.json`);
    const recovered = (name: string) => readDefinition(file('payload-and-retention'), file(name));

    expect(recovered('recovery')).toMatchObject({
      subject: { recovery: { type: 'STANDARD' }, workflow: { traits: { maxRedrives: 3 } } },
    });
    expect(recovered('minimal')).toEqual({
      kind: 'problem',
      message: 'its recovery: no state `Release the record`: this is not the definition of a recovery',
    });
    expect(recovered('chain')).toMatchObject({ message: expect.stringMatching(/^its recovery: /) });
  });

  test('of an Express workflow: its executions are Express ones', () => {
    expect(golden('express')).toMatchObject({ subject: { workflow: { type: 'EXPRESS' } } });
  });

  test.each([
    ['PaymentDeclined', { returnsStoredFailure: true, returnedErrors: ['PaymentDeclined'] }],
    ['ServiceBusy', { returnsStoredFailure: true, returnedErrors: ['ServiceBusy'] }],
  ])('of a workflow that returns stored failures of %s: nothing is broken', async (error, traits) => {
    const { template } = workflowTemplate({
      idempotencyKey: '{% $states.input.detail.orderId %}',
      onFailedBefore: { returnStoredFailure: { errors: [error] } },
      sources: [{ eventBridge: { eventPattern: { source: ['shop.orders'] } } }],
    });
    const read = readDefinition(written('returned.json', template));
    if (read.kind === 'problem') throw new Error(read.message);

    expect(read.subject.workflow.traits).toMatchObject(traits);
    const found = await explore(read.subject, { executions: 2, faults: 1, channels: ['direct'] });
    expect(found.violation).toBeUndefined();
  });

  test('of a template of onceflow template: the counts of its definition, although the template is shortened', async () => {
    const { template, asl } = workflowTemplate({
      idempotencyKey: '{% $states.input.detail.orderId %}',
      sources: [{ eventBridge: { eventPattern: { source: ['shop.orders'] } } }],
    });
    const explored = async (definition: object, recovery?: object) => {
      const file = written('definition.json', definition);
      const read = readDefinition(file, recovery && written('recovery.json', recovery));
      if (read.kind === 'problem') throw new Error(read.message);
      return explore(read.subject, { executions: 1, faults: 1, channels: ['direct'] });
    };

    const { states, transitions, violation } = await explored(template);

    expect(violation).toBeUndefined();
    expect(
      await explored(asl.definition, exportedDefinition(template, 'RecoveryStateMachine').definition),
    ).toMatchObject({
      states,
      transitions,
    });
  });

  test.each([
    ['dispatcher', /no state `Claim record`/],
    ['composite-key', /ends with Idempotency\.InvalidEvent before its claim/],
    ['chain', /takes one function for the step, and it calls 0/],
    ['fragment', /in a Map that is all of its machine/],
  ])('%s: rejected, and says why', (name, message) => {
    expect(golden(name)).toEqual({ kind: 'problem', message: expect.stringMatching(message) });
  });

  test.each([
    ['null', 'got null'],
    ['5', 'got 5'],
    ['[]', 'got []'],
    ['{"Resources":{"StateMachine":{"Properties":{"DefinitionString":null}}}}', 'got null'],
    ['{"Resources":{"StateMachine":{"Properties":{"DefinitionString":"[1]"}}}}', 'got [1]'],
  ])('%s in place of a definition: rejected, and says what a definition is', (text, got) => {
    const file = path.join(directory, 'other.json');
    writeFileSync(file, text);
    const message =
      `a definition must be an object with StartAt and States, ${got}. Give a file in Amazon States Language, or a ` +
      'template that `onceflow template` has made';

    expect(readDefinition(file)).toEqual({ kind: 'problem', message });
  });

  test('null in place of its recovery: rejected', () => {
    const recovery = path.join(directory, 'recovery-null.json');
    writeFileSync(recovery, 'null');

    expect(readDefinition(path.join(__dirname, '../../golden/minimal.asl.json'), recovery)).toMatchObject({
      message: expect.stringMatching(/^its recovery: a definition must be an object .* got null\./),
    });
  });

  test('a file that is not JSON: rejected', () => {
    const file = path.join(directory, 'broken.json');
    writeFileSync(file, '{');

    expect(readDefinition(file)).toMatchObject({ message: expect.stringMatching(/^the file is not JSON: /) });
  });
});
