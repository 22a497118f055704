import { Duration } from 'aws-cdk-lib';
import { stepInputOf, stepResultOf } from '../../state-machine/step-mapping';

describe('the input of a step', () => {
  test.each<[string, unknown, unknown]>([
    ['nothing given: nothing', undefined, undefined],
    ['an expression: itself', '{% $states.input %}', '{% $states.input %}'],
    [
      'an object: what is no expression stays as it is',
      { body: '{% $states.input.detail %}', meta: [{ key: '{% $idempotencyKey %}' }, 'POST', 1, null, true] },
      { body: '{% $states.input.detail %}', meta: [{ key: '{% $idempotencyKey %}' }, 'POST', 1, null, true] },
    ],
    [
      'how often it has been tried again: bound',
      { n: '{% $retryCount + 1 %}' },
      { n: '{% ( $retryCount := $states.context.State.RetryCount; ($retryCount + 1) ) %}' },
    ],
  ])('%s', (_, given, rendered) => {
    expect(stepInputOf(given, true)).toEqual(rendered);
  });

  test.each<[string, unknown, RegExp]>([
    ['a list', ['{% $states.input %}'], /`stepInput` must be a JSONata expression.*or an object.*got \["/],
    ['no expression', '$.detail', /`stepInput` must be a JSONata expression in \{% %\}.*got \$\.detail/],
    ['half an expression', { a: '{% $x' }, /`stepInput\.a` must be a JSONata expression.*got \{% \$x/],
    ['no JSONata', { a: ['{% 1 + %}'] }, /`stepInput\.a\[0\]` is not valid JSONata 2\.0\.6/],
    ['what JSON cannot hold', { a: Duration.days(1) }, /`stepInput\.a` must be JSON, or/],
    ['no number', { a: Number.NaN }, /`stepInput\.a` must be JSON, or/],
    ['the result', '{% $states.result %}', /is evaluated before the step has run; it uses \$states\.result/],
    ['a random number', '{% $uuid() %}', /must give the same when the step is run again; it uses \$uuid/],
    [
      "a variable of the workflow's own",
      '{% $record %}',
      /uses \$record, which is not defined.*it may read \$idempotencyKey, \$attempt$/,
    ],
    ['retries that there are not', '{% $retryCount %}', /uses \$retryCount, which is not defined/],
    [
      'a name that hides ours',
      '{% ( $attempt := 1; $attempt ) %}',
      /binds \$attempt, which has a meaning already; use another name/,
    ],
  ])('%s: refused', (_, given, message) => {
    expect(() => stepInputOf(given, false)).toThrow(message);
  });
});

describe('the result of a step', () => {
  test.each<[string, string | undefined, string | undefined]>([
    ['nothing given: nothing', undefined, undefined],
    ['a member', '{% $states.result.body %}', '$states.input.body'],
    [
      'read several times, in whatever way it is written',
      "{% ( $r := $states . result[0]; {'a': $r, 'b': '$states.result', 'c': $states.result.result} ) %}",
      "( $r := $states . input[0]; {'a': $r, 'b': '$states.result', 'c': $states.input.result} )",
    ],
  ])('%s: over what the step has answered', (_, given, jsonata) => {
    expect(stepResultOf(given)).toBe(jsonata);
  });

  test.each<[string, unknown, RegExp]>([
    [
      'no text',
      7,
      /`stepResult` must be a JSONata expression.*such as \{% \$states\.result\.body %\}; got 7/,
    ],
    ['the input', '{% $states.input.body %}', /`stepResult` reads what the step has answered, as \$states/],
    ['the input beside it', '{% [$states.result, $states.input] %}', /and nothing else/],
    ['all of $states', '{% $merge([$states, $states.result]) %}', /and nothing else/],
    ['a quoted name', '{% $states."result" %}', /as \$states\.result, and nothing else/],
    ['nothing of it', "{% 'done' %}", /and nothing else/],
    ['the time', '{% [$states.result, $now()] %}', /it uses \$now/],
    ['a variable of the workflow', '{% $attempt %}', /uses \$attempt, which is not defined/],
    ['$states of its own', '{% ($states := {}; $states.result) %}', /binds \$states/],
  ])('%s: refused', (_, given, message) => {
    expect(() => stepResultOf(given)).toThrow(message);
  });
});
