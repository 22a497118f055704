import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App, Duration, Stack } from 'aws-cdk-lib';
import { AuthorizationType } from 'aws-cdk-lib/aws-apigateway';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { IdempotentWorkflow, OnFailed, OnInProgress, Results, Source } from '../../infra/index';
import { defineVariants } from '../../proof/explore/variants/stacks';
import { findingsIn } from '../support/comparisons';
import { definitionParts } from '../support/definition-parts';
import { someFunction, synthesizeFile } from '../support/synthesize';

// In JSONata a comparison with a missing value is not an error: `!=` and `=` are false, `$not` of them is true, and `<`
// is nothing. So every operand must have a value wherever it is compared in one of these ways. The operands for which
// that is not seen in the expression itself are reviewed here.

const OF_OURS = 'every claim and every end of a step writes it';
const OF_AN_END = 'an event of an end, and DescribeExecution of an ended execution, have it: asked first';
const IS_TEXT = 'a text that the expression has made itself';
const CLOSED = 'missing rejects';
const REVIEWED: Readonly<Record<string, string>> = {
  // What missing denies.
  '$question.check': `${CLOSED}: 404; the location is read before, and has it`,
  '$states.input.started': `${CLOSED}: the same`,
  '$states.input.sent': `${CLOSED}: 404; the text is matched before, and has it`,
  '$record.status.S': `${CLOSED}: the claim of this very execution is looked for, and it is rejected without one`,
  '$record.owner.S': `${CLOSED}: nothing is one's own without an owner`,
  '$record.leaseExpiry.N': `${CLOSED}: without a lease none is over`,
  '$states.result.Item.owner.S': 'without a record nothing is marked, as nothing is answered with a result',
  '$started.arn': 'a request that has started nothing gets the answer of another: marked as replayed',
  // The present value.
  '$record.claimedAt.S': OF_OURS,
  '$record.attempt.N': OF_OURS,
  $rejections: 'counted by every rejected write, and only they lead there',
  '$owner.executionArn': 'an event, a search and a delivery give it',
  '$owner.startDate': OF_AN_END,
  '$owner.status': `${OF_AN_END}; a delivery gives none, and then it is asked for before any rule over it`,
  '$states.input.detail.status': 'missing is asked for: what a search or a delivery gives has none',
  '$states.context.State.RetryCount': 'missing is no retry: a Task has it from its first retry on',
  '$states.result.RedriveCount': 'guarded by the type of the count that it is compared with',
  '$question.sent': 'a location has it: the text is read before',
  '$started.at': 'a start has it: only what was started leads there',
  '$states.input.body': 'an answer without a body ends before, in "Map the result"',
  '$events[0].Timestamp': 'an event has it, and the type of this one was compared before',
  v: 'a part of a key has it: missing and null are asked for before',
  '$one.Id': 'an event of a history has it',
  '$one.Type': 'an event of a history has it',
  $deliveries: 'assigned, with the input, before any rule over it',
  StartDate: 'each item of ListExecutions has it',
  StopDate: 'each item of a list of ended executions has it',
  Status: 'each item of ListExecutions has it; missing is looked at',
  '$failure.Cause': 'assigned as a text, empty where there is none',
  '$record.expiry.N': 'a record without an expiry counts: it is not finished',
  '$recoveryCalled.at': 'assigned, as an object with it: the rule asks for it first',
  '$item.owner.S': 'nothing is its own without an owner',
  $was: 'read only of a record with an error, whose sender is known by it',
  $v: 'a number: its type was compared before',
  '$lookup($stored, $)': 'a field that one of them lacks differs',
  '$lookup($own, $)': 'a field that one of them lacks differs',
  $own: IS_TEXT,
  $text: IS_TEXT,
};
/** Sums whose parts all have values, each as its beginning. */
const REVIEWED_SUMS = ['($deliveries + ', '($isExact ? 0 ? 25 * $digits())'];

const ROOT = path.join(__dirname, '../..');
/** Of the context, and of an input that is always there. */
const ALWAYS = ['Id', 'Name', 'StartTime']
  .map(name => `$states.context.Execution.${name}`)
  .concat('$states.input');

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'onceflow-comparisons-'));
  const context = { 'aws:cdk:bundling-stacks': [] };
  const variants = new App({ outdir: path.join(directory, 'variants'), context });
  defineVariants(variants);
  variants.synth();
  const frontDoors = new App({ outdir: path.join(directory, 'front-doors'), context });
  defineFrontDoors(frontDoors);
  frontDoors.synth();
  for (const app of ['infra/app/main.ts', 'proof/front-door/app.ts', ...examples()]) {
    synthesizeFile(app, path.join(directory, app.replaceAll('/', '-')));
  }
}, 300_000);

afterAll(() => rmSync(directory, { recursive: true, force: true }));

function examples(): readonly string[] {
  const files = readdirSync(path.join(ROOT, 'examples'), { recursive: true, encoding: 'utf8' });
  return files.filter(file => /^[a-z0-9-]+\/app\.ts$/.test(file)).map(file => `examples/${file}`);
}

/** Front doors that have every state and rule between them. */
function defineFrontDoors(app: App): void {
  const define = (id: string, of: (stack: Stack) => [object, Parameters<typeof Source.http>[1]]) => {
    const stack = new Stack(app, id);
    const [props, options] = of(stack);
    new IdempotentWorkflow(stack, 'Pay', {
      idempotencyKey: '{% $states.input.idempotencyKey %}',
      payload: '{% $states.input.body %}',
      step: someFunction(stack),
      ...props,
    }).startFrom(Source.http('payments', options));
  };
  define('Plain', () => [{}, { errors: { CardDeclined: 402 } }]);
  define('Authorized', stack => [
    { results: Results.inBucket(new Bucket(stack, 'Results')), delivery: 'at-most-once', keepPayload: true },
    { methodOptions: { authorizationType: AuthorizationType.IAM } },
  ]);
  define('Mapped', () => [
    {
      onFailedBefore: OnFailed.returnStoredFailure(),
      onDuplicateInProgress: OnInProgress.wait(Duration.seconds(30)),
    },
    {
      idempotencyKey: '{% $states.input.body.id %}',
      input: "{% {'idempotencyKey': $states.input.body.id, 'body': $states.input.body} %}",
      response: { status: 201, headers: { ETag: '{% $result.tag %}' }, body: '{% $result.body %}' },
    },
  ]);
}

/** Every definition in the directory's templates. */
function definitions(): readonly object[] {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  const templates = files.filter(file => file.endsWith('.template.json'));
  return templates.flatMap(file => {
    const template = JSON.parse(readFileSync(path.join(directory, file), 'utf8'));
    const machines = Object.values<{ Type: string; Properties: object }>(template.Resources);
    return machines
      .filter(({ Type }) => Type === 'AWS::StepFunctions::StateMachine')
      .map(({ Properties }) => {
        const parts = definitionParts(template, Properties);
        return JSON.parse(parts.map(part => (typeof part === 'string' ? part : '0')).join('')) as object;
      });
  });
}

/** The texts between `{%` and `%}`, and the names of the variables that are assigned. */
function readIn(value: unknown, expressions: Set<string>, variables: Set<string>): void {
  if (typeof value === 'string') {
    const [, source] = /^\{%([\s\S]*)%\}$/.exec(value) ?? [];
    if (source !== undefined) expressions.add(source.trim());
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      if (name === 'Assign') for (const variable of Object.keys(member)) variables.add(`$${variable}`);
      readIn(member, expressions, variables);
    }
  }
}

function findings() {
  return definitions().flatMap(definition => {
    const [expressions, variables] = [new Set<string>(), new Set<string>()];
    readIn(definition, expressions, variables);
    // An assignment of nothing fails. A variable that is asked for by `$exists` may not have been assigned yet.
    const assigned = [...variables].filter(
      name => ![...expressions].some(text => text.includes(`$exists(${name})`)),
    );
    const given = new Set([...assigned, ...ALWAYS]);
    return [...expressions].flatMap(source => findingsIn(source, given));
  });
}

test('each operand of a comparison that tells something of a missing value has a value, or is reviewed', () => {
  const found = findings();
  const isSum = (operand: string) => REVIEWED_SUMS.some(sum => operand.startsWith(sum));
  const unreviewed = found.filter(({ operand }) => REVIEWED[operand] === undefined && !isSum(operand));
  const operands = found.map(({ operand }) => operand);

  expect([...new Set(unreviewed.map(({ comparison, operand }) => `${operand} in ${comparison}`))]).toEqual(
    [],
  );
  expect(Object.keys(REVIEWED).filter(operand => !operands.includes(operand))).toEqual([]);
});

test('no expression has !=', () => {
  const unequal = findings().filter(({ comparison }) => / != /.test(comparison.replace(/'[^']*'/g, '')));

  expect([...new Set(unequal.map(({ comparison }) => comparison))]).toEqual([]);
});

const given = new Set(['$known', '$states.input']);
const operandsIn = (source: string) => findingsIn(source, given).map(({ operand }) => operand);

test.each([
  ["$a.b != 'x'", ['$a.b', "'x'"]],
  ["$known != 'x'", ['$known', "'x'"]],
  ["$not($a.b = 'x')", ['$a.b']],
  ["$not($known = 1 or $a in ['x'])", ['$a']],
  ['$not($a.b)', ['$a.b']],
  ['$a < 1', ['$a']],
  ['1 >= $number($a.b)', ['$a.b']],
  ['$exists($a) ? 1 : $a > 1', ['$a']],
  ['$exists($a) or $a > 1', ['$a']],
  ['$map($l, function($x) { $x.y > 1 })', ['$x.y']],
  ['$l[y > 1]', ['y']],
  ["{'k': $not($a = 1)}", ['$a']],
  ['( $v := $a.b; $v > 1 )', ['$v']],
  ["$not($lookup($m, 'k') = 1)", ["$lookup($m, 'k')"]],
  ['$max([$a, $b]) > 1', ['$max([$a, $b)']],
])('%s: found', (source, expected) => {
  expect(operandsIn(source)).toEqual(expected);
});

test.each([
  "$a.b = 'x'",
  "$exists($a.b) and $not($a.b = 'x')",
  '$exists($a) and $number($a.N) < $millis()',
  '$not($exists($a)) or $a > 1',
  '$exists($a) ? $a > 1 : false',
  '$max([0, $a]) >= 3',
  "$type($a) = 'number' and $a > 1",
  '( $v := $exists($a) ? $a : 0; $v > 1 )',
  "$map($l, function($x) { $not($x = '') })",
  '$count($l) > 1',
  '$known + 1 < 3',
])('%s: none', source => {
  expect(operandsIn(source)).toEqual([]);
});
