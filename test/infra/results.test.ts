import validateAsl from 'asl-validator';
import { Duration, type Stack } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { DefinitionBody, QueryLanguage, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { IdempotentFragment, IdempotentWorkflow, RecordTable, Results } from '../../infra/index';
import { definitionIn, newStack, someFunction, statementsOf } from '../support/synthesize';

const idempotencyKey = '{% $states.input.id %}';

/** The statements on S3, and those on the bucket's key. */
function statementsOn(service: string, template: Template) {
  return statementsOf(template, /./).filter(({ Action }) =>
    [Action].flat().some(action => action.startsWith(`${service}:`)),
  );
}

function workflow(stack: Stack, results: Results): IdempotentWorkflow {
  const step = someFunction(stack);
  return new IdempotentWorkflow(stack, 'Pay', {
    idempotencyKey,
    step,
    results,
    retention: Duration.days(30),
  });
}

describe('Results.inBucket', () => {
  test('a bucket with a key: put and get below the scope alone, and that key; objects expire', () => {
    const stack = newStack();
    const bucket = new Bucket(stack, 'Results', { encryptionKey: new Key(stack, 'Key') });
    workflow(stack, Results.inBucket(bucket, { prefix: 'results/' }));
    const template = Template.fromStack(stack);

    const Arn = { 'Fn::GetAtt': [expect.stringContaining('Results'), 'Arn'] };
    const Resource = { 'Fn::Join': ['', [Arn, '/results/Pay/*']] };
    expect(statementsOn('s3', template)).toEqual([
      { Action: ['s3:GetObject', 's3:PutObject'], Effect: 'Allow', Resource },
    ]);
    expect(statementsOn('kms', template)).toMatchObject([{ Action: ['kms:Decrypt', 'kms:GenerateDataKey'] }]);
    template.hasResourceProperties('AWS::S3::Bucket', {
      LifecycleConfiguration: {
        Rules: [Match.objectLike({ ExpirationInDays: 61, Prefix: 'results/Pay/', Status: 'Enabled' })],
      },
    });
    expect(validateAsl(definitionIn(template)).errors).toEqual([]);
  });

  test('a bucket from elsewhere: says which rule it needs', () => {
    const stack = newStack();
    workflow(stack, Results.inBucket(Bucket.fromBucketName(stack, 'Results', 'results')));

    Annotations.fromStack(stack).hasInfo(
      '/Test/Pay',
      Match.stringLikeRegexp("expires 'Pay/' 31 days after the retention"),
    );
  });

  test('a fragment: its machine may do the same, and its objects expire', () => {
    const stack = newStack();
    const fragment = new IdempotentFragment(stack, 'Pay', {
      table: new RecordTable(stack, 'Records'),
      idempotencyKey,
      step: someFunction(stack),
      results: Results.inBucket(new Bucket(stack, 'Results')),
    });
    const machine = new StateMachine(stack, 'Orders', {
      queryLanguage: QueryLanguage.JSONATA,
      definitionBody: DefinitionBody.fromChainable(fragment),
    });
    fragment.grantTo(machine);
    const template = Template.fromStack(stack);

    expect(statementsOn('s3', template)).toHaveLength(1);
    template.hasResourceProperties('AWS::S3::Bucket', {
      LifecycleConfiguration: { Rules: [Match.objectLike({ ExpirationInDays: 121, Prefix: 'Pay/' })] },
    });
  });

  test('the same scope on another table, for as long: one rule', () => {
    const stack = newStack();
    const results = Results.inBucket(new Bucket(stack, 'Results'));
    const step = someFunction(stack);
    for (const id of ['One', 'Two'])
      new IdempotentWorkflow(stack, id, { scope: 'Pay', idempotencyKey, step, results });

    Template.fromStack(stack).hasResourceProperties('AWS::S3::Bucket', {
      LifecycleConfiguration: { Rules: [Match.objectLike({ Prefix: 'Pay/' })] },
    });
  });

  test.each<[string, string, string, number, boolean]>([
    ['a scope within another one that expires sooner', 'Pay', 'Pay/eu', 365, true],
    ['a scope within another one that expires later', 'Pay', 'Pay/eu', 1, false],
    ['the same scope on another table', 'Pay', 'Pay', 1, true],
    ['a scope beside it', 'Pay', 'Pays', 365, false],
  ])('%s: %s and %s', (_, scope, other, days, isRejected) => {
    const stack = newStack();
    const results = Results.inBucket(new Bucket(stack, 'Results'));
    const step = someFunction(stack);
    const define = (id: string, recordScope: string, retention: Duration) =>
      new IdempotentWorkflow(stack, id, {
        scope: recordScope,
        idempotencyKey,
        step,
        results,
        retention,
      });
    define('One', scope, Duration.days(30));
    define('Two', other, Duration.days(days));
    const synthesize = () => Template.fromStack(stack);

    if (isRejected)
      expect(synthesize).toThrow(
        /`results` at 'Pay.*\/' of Test\/Results must be kept for \d+ days, but a lifecycle/,
      );
    else expect(synthesize).not.toThrow();
  });

  const inBucket = (options: object) => (stack: Stack) =>
    Results.inBucket(new Bucket(stack, 'Results'), options);
  test.each<[string, (stack: Stack) => unknown, RegExp]>([
    [
      'no Results',
      stack => new Bucket(stack, 'Results'),
      /Pay: `results` must be Results\.inBucket\(bucket\), got/,
    ],
    ['no bucket', () => Results.inBucket('results' as never), /`Results\.inBucket` takes a bucket, got/],
    ['another option', inBucket({ folder: 'a' }), /`folder`/],
    [
      'too long a prefix',
      inBucket({ prefix: 'a'.repeat(501) }),
      /`prefix` of Results must be a text of up to 500/,
    ],
    [
      'a bound beyond the record',
      inBucket({ maxInRecord: 50_001 }),
      /`maxInRecord` of Results .* 0 to 50000, got/,
    ],
  ])('%s: rejected', (_, results, message) => {
    const stack = newStack();

    expect(() => workflow(stack, results(stack) as Results)).toThrow(message);
  });
});
