import { App, Stack } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { IdempotentWorkflow, Source } from '../../infra/index';
import { encrypted, keyPolicy, THE_KEY, textOf } from '../support/encrypted';
import { everySource } from '../support/every-source';
import { newStack, someFunction } from '../support/synthesize';

const idempotencyKey = '{% $states.input.source %}';

describe('the policy of a key that the app defines', () => {
  test('permits its use by the services that write to queues and logs, for this account only', () => {
    const statements = keyPolicy(encrypted()).map(({ Principal, Action, Condition }) => [
      textOf(Principal?.Service),
      [Action].flat().sort().join(),
      Object.values(Condition ?? {})
        .flatMap(Object.keys)
        .join(),
    ]);

    expect(statements.sort()).toEqual([
      ['delivery.logs.amazonaws.com', 'kms:Decrypt', 'kms:EncryptionContext:SourceArn'],
      ['events.amazonaws.com', 'kms:Decrypt,kms:GenerateDataKey', 'aws:SourceAccount'],
      [
        'logs.AWS::Region.AWS::URLSuffix',
        'kms:Decrypt*,kms:Describe*,kms:Encrypt*,kms:GenerateDataKey*,kms:ReEncrypt*',
        'kms:EncryptionContext:aws:logs:arn',
      ],
      ['sns.amazonaws.com', 'kms:Decrypt,kms:GenerateDataKey', 'aws:SourceArn'],
    ]);
  });

  test('permits nothing that no source needs', () => {
    const stack = newStack();
    const encryptionKey = new Key(stack, 'Key');
    new IdempotentWorkflow(stack, 'Pay', { idempotencyKey, step: someFunction(stack), encryptionKey });

    const services = keyPolicy(Template.fromStack(stack)).map(({ Principal }) => textOf(Principal?.Service));
    expect(services).toEqual(['logs.AWS::Region.AWS::URLSuffix']);
  });

  test('of a topic as well: what is rendered can be deployed', () => {
    const stack = newStack();
    const encryptionKey = new Key(stack, 'Key');
    new IdempotentWorkflow(stack, 'Pay', {
      idempotencyKey,
      step: someFunction(stack),
      encryptionKey,
    }).startFrom(Source.topic(new Topic(stack, 'Topic', { masterKey: encryptionKey })));

    // Rejects circular dependencies.
    expect(() => Template.fromStack(stack)).not.toThrow();
  });

  test('in another stack: that stack needs nothing of the workflow', () => {
    const app = new App({ context: { 'aws:cdk:bundling-stacks': [] } });
    const [keys, stack] = [new Stack(app, 'Keys'), new Stack(app, 'Test')];
    everySource(stack, { encryptionKey: new Key(keys, 'Key') });

    expect(() => app.synth()).not.toThrow();
    expect(keyPolicy(Template.fromStack(keys))).toHaveLength(4);
  });
});

describe('what a key is', () => {
  const made = (keyIn: (stack: Stack) => unknown) => {
    const stack = newStack();
    const encryptionKey = keyIn(stack) as IKey;
    new IdempotentWorkflow(stack, 'Pay', { idempotencyKey, step: someFunction(stack), encryptionKey });
    return stack;
  };

  test.each<[string, (stack: Stack) => unknown, string]>([
    ['an alias', stack => new Key(stack, 'Key').addAlias('alias/payments'), 'got an alias'],
    ['the ARN as text', () => 'arn:aws:kms:eu-west-1:111111111111:key/1', 'got "arn:aws:kms:'],
    ['null', () => null, 'got null'],
  ])('%s: rejected', (_, keyIn, message) => {
    expect(() => made(keyIn)).toThrow(/^Test\/Pay: `encryptionKey` must be the KMS key itself/);
    expect(() => made(keyIn)).toThrow(message);
  });

  test('a key that is defined elsewhere: used, with a warning of what its policy must permit', () => {
    const stack = made(scope =>
      Key.fromKeyArn(
        scope,
        'Key',
        'arn:aws:kms:us-east-1:111111111111:key/1a2b3c4d-0000-1111-2222-333344445555',
      ),
    );

    Annotations.fromStack(stack).hasWarning(
      '/Test/Pay',
      Match.stringLikeRegexp('must allow CloudWatch Logs'),
    );
    Template.fromStack(stack).hasResourceProperties('AWS::StepFunctions::StateMachine', {
      EncryptionConfiguration: { KmsKeyId: Match.stringLikeRegexp('key/1a2b3c4d') },
    });
  });

  test('a table of its own: encrypted with it', () => {
    Template.fromStack(made(stack => new Key(stack, 'Key'))).hasResourceProperties('AWS::DynamoDB::Table', {
      SSESpecification: { SSEEnabled: true, SSEType: 'KMS', KMSMasterKeyId: THE_KEY },
    });
  });

  test('none: no principal may use any', () => {
    expect(JSON.stringify(Template.fromStack(made(() => undefined)).toJSON())).not.toContain('kms:');
  });
});
