import { type ExploreOptions, explore, replay } from '../../explore/explore';
import { readAssembly } from '../../load-assembly';
import { synthesizeShop } from '../testing/shop';
import { CLAIM_FIRST, ORDER, PAYMENTS } from './payments';

/** Options as a caller without types gives them. */
type Loose = Readonly<Record<string, unknown>>;

const right: Loose = { definition: CLAIM_FIRST, inputs: [ORDER], tables: PAYMENTS, invariant: () => true };
const explored = (more: Loose) => explore({ ...right, ...more } as unknown as ExploreOptions);
const rejection = (message: string) => ({ name: 'ExploreError', message: expect.stringContaining(message) });

describe('an option of a search', () => {
  test('nothing at all: says what to give', () => {
    const given = undefined as unknown as ExploreOptions;

    expect(() => explore(given)).toThrow(
      'what is explored is missing; give { definition, inputs, invariant }',
    );
    expect(() => replay(right as unknown as ExploreOptions, undefined as never)).toThrow(
      '`interleaving` must be a list',
    );
  });

  test.each<[string, Loose, string]>([
    ['no definition', { definition: undefined }, '`definition` is missing; give an object, a text, or {'],
    ['no path', { definition: { assembly: { namedResources: [] } } }, '`definition` is not all there; give'],
    [
      'a directory',
      { definition: { assembly: 'cdk.out', stateMachine: 'Orders' } },
      'readAssembly(directory)',
    ],
    ['no inputs', { inputs: undefined }, '`inputs` is a list'],
    ['one input that is no list', { inputs: ORDER }, '`inputs` is a list'],
    ['no invariant', { invariant: undefined }, '`invariant` is a function'],
    ['no tables', { tables: null }, '`tables` is an object, by names; got null'],
    [
      'a table that no call uses, beside one that is used',
      { tables: { ...PAYMENTS, Paiments: { partitionKey: 'orderId' } } },
      '`tables` has Paiments, which no call uses; there are: Payments',
    ],
    ['tables in a promise', { tables: Promise.resolve({}) }, '`tables` returns a promise'],
    ['a list of effects', { effects: ['Charge'] }, '`effects` is an object, by names; got a list'],
    [
      'a table without its key',
      { tables: { Payments: {} } },
      'the table Payments of `tables` lacks `partitionKey`',
    ],
    [
      'an option that there is not',
      { fault: 3 },
      'has no option `fault`; did you mean `faults`? It has always, callsEndInTime, definition',
    ],
    [
      'one that is near none',
      { seed: '1' },
      '`explore` has no option `seed`; it has always, callsEndInTime, definition, deliveries,',
    ],
    [
      'a table with an option that there is not',
      { tables: { Payments: { partitionKey: 'orderId', sortkey: 'at' } } },
      'the table Payments of `tables` has no option `sortkey`; did you mean `sortKey`?',
    ],
    [
      'a key of no type',
      { tables: { Payments: { partitionKey: { name: 'orderId', type: 'SS' } } } },
      '`partitionKey` of the table Payments of `tables` is a name, or { name, type } with S, N or B',
    ],
    [
      'an item without the key of its table',
      { tables: { Payments: { partitionKey: 'orderId', items: [{ id: { S: 'x' } }] } } },
      'an item of the table Payments of `tables` is rejected: One or more parameter values were invalid: Missing',
    ],
    [
      'an effect that is an answer',
      { effects: { Charge: { Payload: 1 } } },
      '"Charge" of `effects` is not a function',
    ],
    ['no delivery', { deliveries: 0 }, '`deliveries` is a whole number from 1, got 0'],
    ['half a fault', { faults: 0.5 }, '`faults` is a whole number from 0, got 0.5'],
    ['redrives as a text', { redrives: 'some' }, '`redrives` is a whole number from 0, got some'],
    ['no states', { maxStates: 0 }, '`maxStates` is a whole number from 1, got 0'],
  ])('%s: rejected', (_what, more, message) => {
    expect(() => explored(more)).toThrow(expect.objectContaining(rejection(message)));
  });

  test('a state machine that the assembly does not have: the near ones', () => {
    const definition = { assembly: readAssembly(synthesizeShop()), stateMachine: 'Orders/Machin' };

    expect(() => explored({ definition })).toThrow('near it: Shop/Orders/Machine');
  });
});

// Each of them would let a search end without a violation, whatever the workflow does.
describe('what would be taken for a yes', () => {
  test('an invariant that returns a promise: rejected', () => {
    expect(() => explored({ invariant: async () => true })).toThrow(
      '`invariant` returns a promise; it must return its answer directly',
    );
  });

  test('an effect that returns a promise, or nothing: rejected', () => {
    expect(() => explored({ effects: { Charge: async () => null } })).toThrow(
      'the effect of "Charge" returns a promise',
    );
    expect(() => explored({ effects: { Charge: () => undefined } })).toThrow(
      'the effect of "Charge" answers undefined; give JSON, such as null',
    );
  });

  test.each([
    [0, '0'],
    [null, 'null'],
    [[], 'a list'],
  ])('an invariant that returns %j: rejected', (said, shown) => {
    expect(() => explored({ invariant: () => said })).toThrow(
      `\`invariant\` returns ${shown}; it must return true or nothing if it holds, and false or the reason if it`,
    );
  });

  test('an invariant that returns an assertion, as those of Chai do, holds', () => {
    expect(explored({ invariant: () => ({ not: {} }) }).violation).toBeUndefined();
  });

  test('an effect that throws: rejected, with what a failure is', () => {
    const Charge = () => {
      throw new Error('no rate');
    };

    expect(() => explored({ effects: { Charge } })).toThrow(
      'the effect of "Charge" throws: no rate; for a call that fails, return { error, cause }',
    );
  });

  test('a table that no call names is taken if the name of a table is computed', () => {
    const text = JSON.stringify(CLAIM_FIRST).replace('"Payments"', "\"{% 'Pay' & 'ments' %}\"");

    expect(
      explored({ definition: text, tables: { ...PAYMENTS, Others: { partitionKey: 'id' } } }),
    ).toMatchObject({
      isComplete: true,
    });
  });

  test('an effect that no call has, or that a table answers for: rejected, with those that there are', () => {
    const known =
      'is neither a state nor an integration that they answer for; there are: "Charge", "lambda:invoke"';

    expect(() => explored({ effects: { Chrage: () => null } })).toThrow(`"Chrage" of \`effects\` ${known}`);
    expect(() => explored({ effects: { Claim: () => ({ error: 'X' }) } })).toThrow(
      `"Claim" of \`effects\` ${known}`,
    );
  });
});
