import path from 'node:path';
import { readDefinition } from '../../../proof/explore/search/definition-file';

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
    ['dispatcher', /no state `Claim record`/],
    ['composite-key', /ends with Idempotency\.InvalidEvent before its claim/],
    ['chain', /takes one function for the step, and it calls 0/],
    ['fragment', /in a Map that is all of its machine/],
  ])('%s: refused, and says why', (name, message) => {
    expect(golden(name)).toEqual({ kind: 'problem', message: expect.stringMatching(message) });
  });
});
