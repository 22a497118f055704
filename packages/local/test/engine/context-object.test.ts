import jsonata from 'jsonata';
import { seesContext } from '../../engine/context-object';

const STATES = {
  input: { a: { b: 1 }, list: [{ c: 1 }, { c: 2 }] },
  result: { r: 1 },
  errorOutput: { Error: 'E' },
  context: { Execution: { Name: 'n' } },
};

/** Ways to the context object, some of them unlikely. */
const SEEING = [
  '$states.context.Execution.Name',
  '$states .context.Execution.Name',
  '$states. context.Execution.Name',
  '$states/* of it */.context.Execution.Name',
  '$states.`context`.Execution.Name',
  '$states.*.Execution.Name',
  '$states.**.Name',
  '$states["n" = context.Execution.Name].context.Execution.Name',
  '$states.(context).Execution.Name',
  '($all := $states; $all.context.Execution.Name)',
  '$lookup($states, "con" & "text").Execution.Name',
  '$states ~> function($s) { $s.context.Execution.Name }',
  '$map([$states], function($s) { $s.context.Execution.Name })',
  '$merge([$states, {}]).context.Execution.Name',
  '$states.input.%.context.Execution.Name',
  '$states.input.a.%.%.context.Execution.Name',
  '$states.input.list.(%.%.context.Execution.Name)[0]',
  '$states.input@$input.context.Execution.Name',
  '$states.input@$input.($input.a.b = 1 ? context.Execution.Name)',
  '($states.input; $states.context.Execution.Name)',
];

test.each(SEEING)('%s: sees the context object', async source => {
  expect(await jsonata(source).evaluate(undefined, { states: STATES })).toEqual('n');
  expect(seesContext(source)).toBe(true);
});

test.each([
  '$states.input',
  '$states.input.a.b',
  '$states.result.r + 1',
  '$states.errorOutput.Error',
  '$states.input.list[c = 1]',
  '$states.input.context',
  '($all := $states.input; $all.context)',
  '1 + 1',
  '$statesOf',
])('%s: is the same without it', async source => {
  const { context: _, ...without } = STATES;
  const of = (states: object) => jsonata(source).evaluate(undefined, { states });

  expect(await of(without)).toEqual(await of(STATES));
  if (source !== '$statesOf') expect(seesContext(source)).toBe(false);
});
