import { stepInputOf, stepResultOf } from '../../../state-machine/expression/step-input-and-result';

// Inputs and results of steps as teams write them.

/** An expression over the event: `_` stands for `$states.input.detail`. */
const over = (jsonata: string) =>
  `{% ${jsonata.replace(/(?<![\w$])_(?=[.[ ,)~;]|$)/g, '$states.input.detail')} %}`;

describe('inputs and results of steps', () => {
  test.each([
    '_',
    "$sift(_, function($v, $k) { $k != 'ts' })",
    "$merge([_, {'idempotencyKey': $idempotencyKey}])",
    "_ ~> |$|{}, ['ts']|",
    "{'Records': [{'messageId': $idempotencyKey, 'body': $string(_)}]}",
    "_.first & ' ' & _.last",
    '$keys(_)',
    '[_.a, _.b]',
    '$sort(_.tables)',
    "{'execution': $states.context.Execution.Id}",
    '$toMillis(_.at)',
    '( $count := $count(_.items); $count )',
  ])('accepted: %s', jsonata => {
    expect(() => stepInputOf(over(jsonata), false)).not.toThrow();
  });

  test.each([
    '$now()',
    '$uuid()',
    "$toMillis(_.at, '[H01]:[m01]')",
    "$map(_.slots, function($s) { $toMillis($s, '[H01]') })",
    '$states.context.State.EnteredTime',
    "$lookup($states.context.Execution, 'StartTime')",
    '{"at": $states.context.Execution.RedriveTime}',
    '$states.context.State',
    '$states.context.*',
    '( $c := $states.context; $c.State.EnteredTime )',
    '$states.context',
  ])('rejected, because it is another when the step runs again: %s', jsonata => {
    expect(() => stepInputOf(over(jsonata), false)).toThrow(
      /must have the same value when the step is run again/,
    );
    const result = `{% ${jsonata.replaceAll('_.', '$states.result.')} %}`.replace('()', '($states.result)');
    expect(() => stepResultOf(result)).toThrow(/must have the same value/);
  });
});
