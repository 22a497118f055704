import type { Json, JsonObject } from '../../../../json/json';
import { machineOf, problemsOf } from './problems';

const SCHEMA = 'SCHEMA_VALIDATION_FAILED';
const PASS = { Type: 'Pass', End: true };
const branch = (states: JsonObject, more: JsonObject = {}) => ({
  StartAt: Object.keys(states)[0] ?? '',
  States: states,
  ...more,
});
const parallel = (branches: Json, more: JsonObject = {}) => ({
  Type: 'Parallel',
  Branches: branches,
  End: true,
  ...more,
});
const map = (processor: Json, more: JsonObject = {}) => ({
  Type: 'Map',
  ItemProcessor: processor,
  End: true,
  ...more,
});

describe('branches and processors', () => {
  test.each<[string, JsonObject, string[]]>([
    ['a branch that is complete', parallel([branch({ A: PASS })]), []],
    ['no branches', parallel([]), [`${SCHEMA}: Value cannot be empty at /States/P/Branches`]],
    [
      'branches that are no list',
      parallel({}),
      [`${SCHEMA}: Expected value of type Array at /States/P/Branches`],
    ],
    [
      'a branch that is none',
      parallel([1]),
      [`${SCHEMA}: Expected value of type Object at /States/P/Branches[0]`],
    ],
    [
      'a branch without a start',
      parallel([{ States: { A: PASS } }]),
      [
        `${SCHEMA}: These fields are required: [StartAt] at /States/P/Branches[0]`,
        'MISSING_TRANSITION_TARGET: State "A" is not reachable. at /States/P/Branches[0]/States/A',
      ],
    ],
    [
      'a state of a branch with a field of another type',
      parallel([branch({ A: { ...PASS, Catch: [] } })]),
      [`${SCHEMA}: Field 'Catch' is not supported at /States/P/Branches[0]/States/A`],
    ],
    [
      'a branch that leads out',
      parallel([branch({ A: { Type: 'Pass', Next: 'P' } })]),
      [
        "MISSING_TRANSITION_TARGET: Missing 'Next' target: P at /States/P/Branches[0]/States/A/Next",
        'MISSING_END_STATE: Workflow has no terminal state at /States/P/Branches[0]',
      ],
    ],
    [
      'a name that is taken in another scope',
      parallel([branch({ P: PASS })]),
      ['DUPLICATE_STATE_NAME: Duplicate State name: P at /States/P/Branches[0]/States/P'],
    ],
    ['an inline processor', map(branch({ A: PASS }, { ProcessorConfig: { Mode: 'INLINE' } })), []],
    [
      'a language of the processor',
      map(branch({ A: PASS }, { QueryLanguage: 'JSONata' })),
      [`${SCHEMA}: Field 'QueryLanguage' is not supported at /States/P/ItemProcessor`],
    ],
    [
      'an unknown mode',
      map(branch({ A: PASS }, { ProcessorConfig: { Mode: 'X' } })),
      [
        `${SCHEMA}: Value should be one of the following: [INLINE, DISTRIBUTED] at ` +
          '/States/P/ItemProcessor/ProcessorConfig/Mode',
      ],
    ],
  ])('%s: as the service', (_case, state, problems) => {
    expect(problemsOf(machineOf({ P: state }))).toEqual(problems);
  });

  test('something the service rejects beside something only we do: the service has the word', () => {
    const ProcessorConfig = { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' };
    const ItemReader = { Resource: 'arn:aws:states:::glue:read' };
    const state = map(branch({ A: PASS }, { ProcessorConfig }), { Foo: 1, ItemReader });

    expect(problemsOf(machineOf({ P: state }))).toEqual([
      `${SCHEMA}: Field 'Foo' is not supported at /States/P`,
    ]);
  });
});

describe('scopes of variables', () => {
  const inner = (Assign: JsonObject) => [branch({ A: { ...PASS, Assign } })];
  const taken = "INVALID_VARIABLE_NAME: The variable name 'x' was already defined in a parent scope. at ";
  const start = { Type: 'Pass', Assign: { x: 1 }, Next: 'P' };
  const caught = (name: string, next: string) => [
    { ErrorEquals: ['States.ALL'], Assign: { [name]: 1 }, Next: next },
  ];

  test.each<[string, JsonObject, string[]]>([
    ['a name of its own', { S: start, P: parallel(inner({ y: 1 })) }, []],
    [
      'a name set before',
      { S: start, P: parallel(inner({ x: 1 })) },
      [`${taken}/States/P/Branches[0]/States/A/Assign`],
    ],
    ['a name the state itself sets afterwards', { P: parallel(inner({ x: 1 }), { Assign: { x: 1 } }) }, []],
    ['a name its catcher sets', { P: parallel(inner({ x: 1 }), { Catch: caught('x', 'E') }), E: PASS }, []],
    [
      'a name its catcher sets, which leads back to it',
      { P: parallel(inner({ x: 1 }), { Catch: caught('x', 'P') }) },
      [`${taken}/States/P/Branches[0]/States/A/Assign`],
    ],
    [
      'a name set two scopes further out',
      { S: start, P: parallel([branch({ M: map(branch({ A: { ...PASS, Assign: { x: 1 } } })) })]) },
      [`${taken}/States/P/Branches[0]/States/M/ItemProcessor/States/A/Assign`],
    ],
    [
      'the same name in two branches',
      { P: parallel([...inner({ x: 1 }), branch({ B: { ...PASS, Assign: { x: 2 } } })]) },
      [],
    ],
  ])('%s', (_case, states, problems) => {
    expect(problemsOf(machineOf(states as Record<string, Json>))).toEqual(problems);
  });
});
