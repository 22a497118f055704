import type { JsonObject } from '@onceflow/local';
import { putRequest, updateRequest } from './dynamodb';
import { oneOf, type Random } from './json';
import type { Known } from './known';

/** Expressions that are quick, slow, never end, grow without bound, are deep, or read values that do not exist. */
const EXPRESSIONS = [
  '{% $states.input.a + 1 %}',
  '{% $map([1..5], function($v){ $v * 2 }) %}',
  "{% $match('aaaaaaaaaaaaaaaaaaaaaaaa!', /^(a+)+$/) %}",
  "{% $replace('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!', /(a|aa)+$/, 'b') %}",
  "{% $split('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', /(a*)*b/) %}",
  '{% ($f := function($n){ $f($n + 1) }; $f(0)) %}',
  '{% ($f := function($n){ 1 + $f($n + 1) }; $f(0)) %}',
  "{% $reduce([1..60], function($text){ $text & $text }, 'x') %}",
  '{% [1..1000000] %}',
  '{% [1..9007199254740991] %}',
  "{% $pad('', 5000000, 'x') %}",
  '{% $sort([1..100000], function($l, $r){ $l < $r }) %}',
  '{% $map([1..3000], function($v){ $map([1..3000], function($w){ $v * $w }) }) %}',
  `{% ${'('.repeat(300)}1${')'.repeat(300)} %}`,
  `{% ${'['.repeat(90)}1${']'.repeat(90)} %}`,
  `{% ${'1+'.repeat(3_000)}1 %}`,
  '{% $eval(\'$eval("$states.input")\') %}',
  '{% $states.input.__proto__.constructor %}',
  "{% $lookup($states, 'constructor') %}",
  '{% {"__proto__": {"polluted": true}} %}',
  '{% $string(function($x){ $x }) %}',
  '{% $fromMillis(9e15) %}',
  "{% $formatNumber(1e308, '#,##0.00') %}",
  '{% 1 / 0 %}',
  '{% $states.input %}',
  '{% $error("no") %}',
];

/** A state machine of one to three states, of all that can do something. */
export function definition(random: Random, known: Known): string {
  const states = oneOf(random, KINDS)(random, known);
  return JSON.stringify({ QueryLanguage: 'JSONata', StartAt: 'A', States: states });
}

type States = (random: Random, known: Known) => JsonObject;

const end = { Type: 'Succeed' };

const KINDS: readonly States[] = [
  random => ({ A: { Type: 'Pass', Output: expression(random), End: true } }),
  random => ({ A: { Type: 'Pass', Assign: { v: expression(random) }, Next: 'B' }, B: end }),
  () => ({ A: { Type: 'Pass', Next: 'B' }, B: { Type: 'Pass', Next: 'A' } }),
  random => ({
    A: { Type: 'Wait', Seconds: oneOf<string | number>(random, [1, expression(random)]), Next: 'B' },
    B: end,
  }),
  (random, known) => ({
    A: {
      Type: 'Task',
      Resource: oneOf(random, [
        'arn:aws:states:::dynamodb:putItem',
        'arn:aws:states:::aws-sdk:dynamodb:updateItem',
      ]),
      Arguments: {
        TableName: oneOf(random, known.tables),
        ...oneOf(random, [putRequest, updateRequest])(random),
      },
      Retry: [{ ErrorEquals: ['States.ALL'], MaxAttempts: 2, IntervalSeconds: 1 }],
      End: true,
    },
  }),
  random => ({
    A: { Type: 'Choice', Choices: [{ Condition: expression(random), Next: 'B' }], Default: 'B' },
    B: end,
  }),
  random => ({
    A: {
      Type: 'Map',
      Items: oneOf<string | number[]>(random, [[1, 2, 3], '{% [1..200] %}', expression(random)]),
      ItemProcessor: {
        StartAt: 'C',
        States: { C: { Type: 'Pass', Output: expression(random), End: true } },
      },
      End: true,
    },
  }),
  random => ({
    A: {
      Type: 'Parallel',
      Branches: [1, 2].map(() => ({
        StartAt: 'C',
        States: { C: { Type: 'Pass', Output: expression(random), End: true } },
      })),
      Catch: [{ ErrorEquals: ['States.ALL'], Next: 'B', Output: expression(random) }],
      End: true,
    },
    B: end,
  }),
  (random, known) => ({
    A: task('lambda:invoke', {
      FunctionName: oneOf(random, known.functions),
      Payload: expression(random),
    }),
  }),
  (random, known) => ({
    A: task(oneOf(random, ['states:startExecution', 'states:startExecution.sync:2']), {
      StateMachineArn: oneOf(random, known.stateMachines),
      Input: expression(random),
    }),
  }),
  (random, known) => ({
    A: {
      ...task('sqs:sendMessage.waitForTaskToken', {
        QueueUrl: oneOf(random, known.queues),
        MessageBody: { TaskToken: '{% $states.context.Task.Token %}' },
      }),
      TimeoutSeconds: 60,
    },
  }),
  random => ({
    A: task('events:putEvents', {
      Entries: [
        { Source: 'fuzz', DetailType: 'd', EventBusName: 'orders', Detail: { a: expression(random) } },
      ],
    }),
  }),
  (random, known) => ({
    A: task('sns:publish', {
      TopicArn: `arn:aws:sns:${known.environment.region}:${known.environment.account}:fuzz-1`,
      Message: expression(random),
    }),
  }),
];

function expression(random: Random): string {
  return oneOf(random, EXPRESSIONS);
}

function task(integration: string, given: JsonObject): JsonObject {
  return { Type: 'Task', Resource: `arn:aws:states:::${integration}`, Arguments: given, End: true };
}
