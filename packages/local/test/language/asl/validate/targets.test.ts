import type { JsonObject } from '../../../../json/json';
import { machineOf, problemsOf } from './problems';

const pass = (next: string) => ({ Type: 'Pass', Next: next });
const missing = (name: string, at: string) =>
  `MISSING_TRANSITION_TARGET: Missing 'Next' target: ${name} at ${at}`;

const TASK = { Type: 'Task', Resource: 'arn:aws:states:::a:b', Arguments: {}, End: true };

describe('targets', () => {
  test.each<[string, JsonObject, string[]]>([
    [
      'a next state that is not there',
      machineOf({ A: pass('B'), C: TASK }),
      [missing('B', '/States/A/Next'), 'MISSING_TRANSITION_TARGET: State "C" is not reachable. at /States/C'],
    ],
    [
      'a start that is not there',
      { ...machineOf({ A: TASK }), StartAt: 'Z' },
      [missing('Z', '/StartAt'), 'MISSING_TRANSITION_TARGET: State "A" is not reachable. at /States/A'],
    ],
    [
      'a default that is not there',
      machineOf({ A: { Type: 'Choice', Choices: [{ Condition: true, Next: 'E' }], Default: 'D' }, E: TASK }),
      [missing('D', '/States/A/Default')],
    ],
    [
      'a rule that leads nowhere',
      machineOf({ A: { Type: 'Choice', Choices: [{ Condition: true, Next: 'D' }], Default: 'E' }, E: TASK }),
      [missing('D', '/States/A/Choices[0]/Next')],
    ],
    [
      'a catcher that leads nowhere',
      machineOf({ A: { ...TASK, Catch: [{ ErrorEquals: ['E'], Next: 'D' }] } }),
      [missing('D', '/States/A/Catch[0]/Next')],
    ],
    [
      'a state that no transition leads to',
      machineOf({ A: TASK, B: TASK }),
      ['MISSING_TRANSITION_TARGET: State "B" is not reachable. at /States/B'],
    ],
    [
      'a circle without end, and a state outside it',
      machineOf({ A: pass('B'), B: pass('A'), C: pass('A') }),
      ['MISSING_END_STATE: Workflow has no terminal state at null'],
    ],
    [
      'an end without a type',
      machineOf({ A: { End: true } }),
      [
        "SCHEMA_VALIDATION_FAILED: The field 'Type' is required at /States/A",
        'MISSING_END_STATE: Workflow has no terminal state at null',
      ],
    ],
    [
      'an end of an unknown type',
      machineOf({ A: { Type: 'Nope', End: true } }),
      [
        "SCHEMA_VALIDATION_FAILED: The field 'Type' should have one of these values: " +
          '[Task, Wait, Pass, Succeed, Fail, Choice, Parallel, Map] at /States/A/Type',
      ],
    ],
    [
      'no states',
      { ...machineOf({}), StartAt: 'First' },
      [
        'SCHEMA_VALIDATION_FAILED: Value cannot be empty at /States',
        missing('First', '/StartAt'),
        'MISSING_END_STATE: Workflow has no terminal state at null',
      ],
    ],
    [
      'a state reached by a catcher only',
      machineOf({ A: { ...TASK, Catch: [{ ErrorEquals: ['E'], Next: 'B' }] }, B: TASK }),
      [],
    ],
    [
      'a state that leads to itself and can end',
      machineOf({ A: { ...TASK, Catch: [{ ErrorEquals: ['E'], Next: 'A' }] } }),
      [],
    ],
  ])('%s: as the service', (_case, machine, problems) => {
    expect(problemsOf(machine)).toEqual(problems);
  });
});

describe('names', () => {
  const named = (name: string) => machineOf({ [name]: { Type: 'Succeed' } });
  const assigning = (name: string) => machineOf({ A: { Type: 'Pass', Assign: { [name]: 1 }, End: true } });

  test.each<[string, JsonObject, string[]]>([
    ['a state name of 80 characters', named('x'.repeat(80)), []],
    [
      'a state name of 81 characters',
      named('x'.repeat(81)),
      [
        `INVALID_STATE_NAME: State name '${'x'.repeat(81)}' exceeds the 80-character ` +
          `limit allowed by the service at /States/${'x'.repeat(81)}`,
      ],
    ],
    ['a variable in another script', assigning('größe_1'), []],
    [
      'the variable states',
      assigning('states'),
      ["RESERVED_VARIABLE_NAME: Cannot assign to reserved variable '$states'. at /States/A/Assign"],
    ],
    [
      'a path as a variable',
      assigning('x.y'),
      [
        "INVALID_VARIABLE_NAME: Invalid variable name 'x.y': the variable name contains " +
          'invalid characters. at /States/A/Assign',
      ],
    ],
    [
      'a variable that begins with a digit',
      assigning('1x'),
      [
        "INVALID_VARIABLE_NAME: Invalid variable name '1x': the variable name contains " +
          'invalid characters. at /States/A/Assign',
      ],
    ],
  ])('%s: as the service', (_case, machine, problems) => {
    expect(problemsOf(machine)).toEqual(problems);
  });
});
