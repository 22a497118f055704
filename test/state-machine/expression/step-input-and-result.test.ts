import { Duration, Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { JsonPath } from 'aws-cdk-lib/aws-stepfunctions';
import {
  adviseExactness,
  stepInputOf,
  stepResultOf,
} from '../../../state-machine/expression/step-input-and-result';

describe('the input of a step', () => {
  test.each<[string, unknown, unknown]>([
    ['nothing given: nothing', undefined, undefined],
    ['an expression: itself', '{% $states.input %}', '{% $states.input %}'],
    [
      'an object: what is no expression stays as it is',
      { body: '{% $states.input.detail %}', meta: [{ key: '{% $idempotencyKey %}' }, 'POST', 1, null, true] },
      { body: '{% $states.input.detail %}', meta: [{ key: '{% $idempotencyKey %}' }, 'POST', 1, null, true] },
    ],
    ['a name that is a sign: itself', { $: 1 }, { $: 1 }],
    [
      'how often it has been tried again: bound',
      { n: '{% $retryCount + 1 %}' },
      { n: '{% ( $retryCount := $states.context.State.RetryCount; $retryCount + 1 ) %}' },
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
    [
      'a name of JSONPath',
      { a: { 'b.$': '$.c' } },
      /^`stepInput\.a\.b\.\$` is written in JSONPath.*got "\$\.c"$/,
    ],
    [
      'a path of the CDK',
      { a: [{ b: JsonPath.stringAt('$.c') }] },
      /^`stepInput\.a\[0\]\.b` is written in JSONPath, which the step would get as plain text.*got "\$\.c"$/,
    ],
    ['a number by a path', { a: JsonPath.numberAt('$.c') }, /^`stepInput\.a` is written in JSONPath/],
    ['an object by a path', { a: JsonPath.objectAt('$.c') }, /^`stepInput\.a` is written in JSONPath/],
    ['no number', { a: Number.NaN }, /`stepInput\.a` must be JSON, or/],
    ['the result', '{% $states.result %}', /is evaluated before the step has run; it uses \$states\.result/],
    [
      'a random number',
      '{% $uuid() %}',
      /must have the same value when the step is run again; it uses \$uuid/,
    ],
    [
      "a variable of the workflow's own",
      '{% $record %}',
      /uses \$record, which does not exist.*it can read are \$idempotencyKey, \$attempt$/,
    ],
    ['retries that there are not', '{% $retryCount %}', /uses \$retryCount, which does not exist/],
    [
      'a name that hides ours',
      '{% ( $attempt := 1; $attempt ) %}',
      /binds \$attempt, which already has a meaning\. Use another name/,
    ],
  ])('%s: rejected', (_, given, message) => {
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
    [
      'all of $states',
      '{% $merge([$states, $states.result]) %}',
      /must read members of \$states by their names/,
    ],
    ['a quoted name', '{% $states."result" %}', /as \$states\.result, and nothing else/],
    ['nothing of it', "{% 'done' %}", /and nothing else/],
    ['the time', '{% [$states.result, $now()] %}', /it uses \$now/],
    ['a variable of the workflow', '{% $attempt %}', /uses \$attempt, which does not exist/],
    ['$states of its own', '{% ($states := {}; $states.result) %}', /binds \$states/],
  ])('%s: rejected', (_, given, message) => {
    expect(() => stepResultOf(given)).toThrow(message);
  });
});

describe('a text made of numbers', () => {
  const warnings = (stepInput: string | object, stepResult?: string) => {
    const stack = new Stack();
    adviseExactness(stack, { stepInput: stepInput as string, stepResult });
    return Annotations.fromStack(stack)
      .findWarning('*', Match.anyValue())
      .map(({ entry }) => String(entry.data).replace(/ uses .*silently/, ''));
  };

  test.each<[string, string | object, string]>([
    ['a body', { body: '{% $string($states.input) %}' }, '{% $string($states.input) %}'],
    ['in a list', { a: ['{% $states.input ~> $string() %}'] }, '{% $states.input ~> $string() %}'],
    [
      'handed to another function',
      '{% $map($states.input.ids, $string) %}',
      '$map($states.input.ids, $string)',
    ],
    ['by a transform', "{% $states.input ~> |$|{}, ['at']| %}", '{% $states.input ~> |$|'],
    ['by a copy', { a: '{% $clone($states.input) %}' }, '{% $clone('],
    ['beside an attempt', '{% $string($attempt) & $string($states.input.n) %}', '$string($states.input.n)'],
  ])('%s: warned of', (_, stepInput, named) => {
    expect(warnings(stepInput)).toEqual([expect.stringContaining(named)]);
  });

  test.each<[string, string | object]>([
    ['an attempt and a key', { id: "{% $string($attempt) & '/' & $string($idempotencyKey) %}" }],
    ['the word in a text', { a: '$string($states.input)', b: "{% '$string' %}" }],
    ['values as they are', '{% $states.input %}'],
  ])('%s: not', (_, stepInput) => {
    expect(warnings(stepInput)).toEqual([]);
  });

  test('out of the answer: warned of under its own name', () => {
    expect(warnings('{% $states.input %}', '{% $string($states.result) %}')).toEqual([
      expect.stringMatching(/^`stepResult`;.*\[ack: onceflow:stepResultRounded\]$/),
    ]);
  });
});
