import type { Json, JsonObject } from '../../../json/json';
import { afterStart, machineOf, play } from '../play';

const to = (name: string) => ({ Type: 'Pass', Output: { at: name, x: '{% $x %}' }, End: true });

/** Three ways out; every way sets `x`, which shows whose data flow counted. */
function choice(rules: JsonObject[], more: JsonObject = {}) {
  const states: { [name: string]: Json } = {
    Before: { Type: 'Pass', Assign: { x: 'none' }, Next: 'Check' },
    Check: { Type: 'Choice', Choices: rules, Default: 'Else', Assign: { x: 'own' }, ...more },
    One: to('One'),
    Two: to('Two'),
    Else: to('Else'),
  };
  const reached = ['Before', 'Check', 'Else', ...rules.map(rule => String(rule['Next']))];
  return machineOf(Object.fromEntries(Object.entries(states).filter(([name]) => reached.includes(name))));
}

const rule = (Condition: Json, Next: string, more: JsonObject = {}) => ({ Condition, Next, ...more });
const big = '{% $states.input.n > 10 %}';
const positive = '{% $states.input.n > 0 %}';

describe('Choice', () => {
  test.each([
    { given: [rule(big, 'One'), rule(positive, 'Two')], n: 11, is: { at: 'One', x: 'none' } },
    { given: [rule(big, 'One'), rule(positive, 'Two')], n: 10, is: { at: 'Two', x: 'none' } },
    { given: [rule(positive, 'Two'), rule(big, 'One')], n: 11, is: { at: 'Two', x: 'none' } },
    { given: [rule(big, 'One'), rule(positive, 'Two')], n: 0, is: { at: 'Else', x: 'own' } },
    { given: [rule(positive, 'One', { Assign: { x: 'rule' } })], n: 1, is: { at: 'One', x: 'rule' } },
    { given: [rule(true, 'One'), rule('{% $nobody %}', 'Two')], n: 1, is: { at: 'One', x: 'none' } },
    { given: [rule(false, 'One')], n: 1, is: { at: 'Else', x: 'own' } },
  ])('n = $n with $given: $is', ({ given, n, is }) => {
    const { execution } = play(choice(given), { input: { n } });

    expect(execution.end?.output?.value).toEqual(is);
  });

  test("a rule's output: replaces the input, the state's own does not count", () => {
    const machine = choice([rule(true, 'One', { Output: 'of the rule' })], { Output: 'of the state' });

    const { events } = play(machine);

    expect(events[4]).toMatchObject({
      type: 'ChoiceStateExited',
      name: 'Check',
      output: '"of the rule"',
    });
  });

  test('no match and no default: ends with an error that nothing catches', () => {
    const machine = machineOf({
      Check: { Type: 'Choice', Choices: [{ Condition: big, Next: 'End' }] },
      End: { Type: 'Succeed' },
    });
    const cause =
      "An error occurred while executing the state 'Check' (entered at the event id #2). " +
      'Failed to transition out of the state. The state does not point to a next state.';

    expect(afterStart(play(machine, { input: { n: 1 } }))).toEqual([
      '2<-0 ChoiceStateEntered {"name":"Check","input":"{\\"n\\":1}"}',
      `3<-2 ExecutionFailed ${JSON.stringify({ error: 'States.Runtime', cause })}`,
    ]);
  });

  test.each([
    ['{% $nobody %}', 'returned nothing (undefined).'],
    [
      '{% "x" %}',
      "returned an unexpected result type. Expected 'boolean', but was 'string' for value: \"x\"",
    ],
    ['{% null %}', "returned an unexpected result type. Expected 'boolean', but was 'null' for value: null"],
    ['{% [1] %}', "returned an unexpected result type. Expected 'boolean', but was 'array' for value: [1]"],
  ])('the condition %s: fails the execution', (condition, reason) => {
    const { events } = play(choice([rule(false, 'One'), rule(condition, 'Two')]));
    const failed = events.at(-2);

    expect(failed).toMatchObject({ type: 'EvaluationFailed', id: 5, previousEventId: 3 });
    expect(failed?.location).toBe('Choices[1]/Condition');
    expect(failed?.cause).toContain(`for the field 'Choices[1]/Condition' ${reason}`);
  });
});
