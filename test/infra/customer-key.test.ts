import { Duration } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Key } from 'aws-cdk-lib/aws-kms';
import {
  CustomerManagedEncryptionConfiguration,
  DefinitionBody,
  QueryLanguage,
  StateMachine,
} from 'aws-cdk-lib/aws-stepfunctions';
import { IdempotentFragment, type IdempotentWorkflowProps, RecordTable, Recovery } from '../../infra/index';
import { encrypted, keyPolicy, THE_KEY, textOf } from '../support/encrypted';
import { newStack, type Statement, someFunction, statementsOf } from '../support/synthesize';

const idempotencyKey = '{% $states.input.source %}';

/** The resources of the workflow `Pay` of one type. */
function ofPay(template: Template, type: string) {
  return Object.entries(template.findResources(type)).filter(([name]) => name.startsWith('Pay'));
}

/** A state machine as Step Functions knows it, the role that it runs as, and the key that encrypts it. */
function machinesOfPay(template: Template) {
  return ofPay(template, 'AWS::StepFunctions::StateMachine').map(([id, { Properties }]) => ({
    arn: `${STATES}:stateMachine:${Properties['StateMachineName'] ?? `${id}-1a2b`}`,
    role: String(Properties['RoleArn']['Fn::GetAtt'][0]),
    key: Properties['EncryptionConfiguration']?.KmsKeyId,
  }));
}

const STATES = 'arn:AWS::Partition:states:AWS::Region:AWS::AccountId';
const LOG_GROUP = 'arn:AWS::Partition:logs:AWS::Region:AWS::AccountId:log-group';

function isLike(pattern: unknown, arn: string): boolean {
  const [first = '', ...others] = textOf(pattern).split('*');
  if (!arn.startsWith(first)) return false;
  return others.length > 0 || arn === first;
}

/** The statements about the key that encrypts the workflow. */
function onTheKey(statements: readonly Statement[]): readonly Statement[] {
  return statements.filter(({ Resource }) => JSON.stringify(Resource).includes('Key961B73FD'));
}

/** Whether a role may use the key for executions of a state machine. */
function mayRun(template: Template, role: string, arn: string): boolean {
  const needed = ['kms:Decrypt', 'kms:GenerateDataKey'];
  return onTheKey(statementsOf(template, new RegExp(`^${role}$`))).some(({ Action, Condition = {} }) => {
    const [[operator = '', context = {}] = []] = Object.entries(Condition as Record<string, object>);
    const [[key = '', pattern = ''] = []] = Object.entries(context);
    return (
      /^(ArnLike|StringEquals)$/.test(operator) &&
      key === 'kms:EncryptionContext:aws:states:stateMachineArn' &&
      isLike(pattern, arn) &&
      needed.every(one => Action.includes(one))
    );
  });
}

const WITH_ALL = { recovery: Recovery.automatic({ redeliverFailed: { maxAttempts: 5 } }) };

describe.each<[string, Partial<IdempotentWorkflowProps>]>([
  ['without a name', WITH_ALL],
  ['with a name', { ...WITH_ALL, stateMachineName: 'payments' }],
  ['that is Express', { type: 'EXPRESS', timeout: Duration.minutes(2) }],
])('the key of a workflow %s', (_, props) => {
  let template: Template;
  beforeAll(() => {
    template = encrypted(props);
  });

  test('every state machine is encrypted with it, and its role may use it for that', () => {
    const machines = machinesOfPay(template);

    expect(machines).toHaveLength(props.type === 'EXPRESS' ? 3 : 16);
    for (const { arn, role, key } of machines) {
      expect({ arn, key, runs: mayRun(template, role, arn) }).toEqual({ arn, key: THE_KEY, runs: true });
    }
  });

  test('every queue is encrypted with it', () => {
    const queues = ofPay(template, 'AWS::SQS::Queue');

    expect(queues.length).toBeGreaterThan(5);
    for (const [, queue] of queues) expect(queue['Properties'].KmsMasterKeyId).toEqual(THE_KEY);
  });

  test('every log group is encrypted with it, by permission of the key', () => {
    const groups = ofPay(template, 'AWS::Logs::LogGroup');
    const functions = ofPay(template, 'AWS::Lambda::Function');
    const [logs] = keyPolicy(template).filter(({ Principal }) => /^logs\./.test(textOf(Principal?.Service)));
    const patterns = (logs?.Condition?.ArnLike?.['kms:EncryptionContext:aws:logs:arn'] ?? []) as unknown[];

    for (const [name, group] of groups) {
      const arn = `${LOG_GROUP}:${textOf(group['Properties']['LogGroupName'])}`;
      expect({ name, key: group['Properties'].KmsKeyId }).toEqual({ name, key: THE_KEY });
      expect(patterns.filter(pattern => isLike(pattern, arn))).toHaveLength(1);
    }
    expect(patterns).toHaveLength(groups.length);
    expect(functions.length).toBeGreaterThan(0);
    for (const [, one] of functions)
      expect(one['Properties'].LoggingConfig).toEqual({
        LogGroup: { Ref: expect.stringMatching(/^Pay.*Logs/) },
      });
  });

  test('no role may use it for anything else', () => {
    const granted = ofPay(template, 'AWS::IAM::Policy').flatMap(([, { Properties }]) =>
      onTheKey(Properties['PolicyDocument']['Statement']).map(statement => ({
        role: String(Properties['Roles'][0].Ref),
        ...statement,
      })),
    );

    for (const { role, Action, Condition } of granted) {
      // A function that Lambda hands the messages of a queue to.
      const reads = /Starter|Settler/.test(role) && Action === 'kms:Decrypt' && Condition === undefined;
      const [context = ''] = Object.values((Condition ?? {}) as Record<string, object>).flatMap(Object.keys);
      expect([role, reads || /^kms:(EncryptionContext|ViaService)/.test(context)]).toEqual([role, true]);
    }
    expect(granted.filter(({ role }) => /EventsRole|RedriveFunction/.test(role))).toEqual([]);
  });
});

describe('what handles messages and executions that a key encrypts', () => {
  let template: Template;
  beforeAll(() => {
    template = encrypted(WITH_ALL);
  });

  test('a sender to a queue may use the key by way of SQS', () => {
    const senders = ofPay(template, 'AWS::IAM::Policy').filter(([, { Properties }]) =>
      JSON.stringify(Properties['PolicyDocument']).includes('sqs:SendMessage'),
    );
    const through = (statements: readonly Statement[]) =>
      onTheKey(statements).filter(
        ({ Action, Condition }) =>
          Action.includes('kms:GenerateDataKey') && JSON.stringify(Condition).includes('kms:ViaService'),
      );

    expect(senders.length).toBeGreaterThan(5);
    for (const [name, { Properties }] of senders)
      expect([name, through(Properties['PolicyDocument'].Statement)]).toEqual([name, [expect.anything()]]);
  });

  test.each([
    [
      'the function that starts from a queue',
      /^PaySourceMessagesStarter.*Role/,
      /^PaySourceMessagesDispatcher/,
    ],
    ['the function that checks messages', /^PaySourceMessagesSettler.*Role/, /^PayStateMachine/],
    ['a pipe', /^PaySourceClicksPipeRole/, /^PaySourceClicksDispatcher/],
    ['the API', /^PaySourceHttpCaller/, /^PaySourceHttpFrontDoor/],
  ])('%s may decrypt executions of one state machine', (_, role, machine) => {
    expect(statementsOf(template, role)).toContainEqual({
      Action: 'kms:Decrypt',
      Effect: 'Allow',
      Resource: THE_KEY,
      Condition: {
        StringEquals: {
          'kms:EncryptionContext:aws:states:stateMachineArn': { Ref: expect.stringMatching(machine) },
        },
      },
    });
  });
});

describe("a state machine of the app's own that a key encrypts", () => {
  let template: Template;
  beforeAll(() => {
    const stack = newStack();
    const fragment = new IdempotentFragment(stack, 'Fragment', {
      idempotencyKey,
      table: new RecordTable(stack, 'Records'),
      step: someFunction(stack),
    });
    const machine = new StateMachine(stack, 'Pay', {
      queryLanguage: QueryLanguage.JSONATA,
      definitionBody: DefinitionBody.fromChainable(fragment),
      encryptionConfiguration: new CustomerManagedEncryptionConfiguration(new Key(stack, 'Key')),
    });
    fragment.grantTo(machine);
    Recovery.of(machine);
    template = Template.fromStack(stack);
  });

  test('its recovery is encrypted as well, and each role may use the key', () => {
    const machines = machinesOfPay(template);

    expect(machines).toHaveLength(3);
    for (const { arn, role, key } of machines) {
      expect({ arn, key, runs: mayRun(template, role, arn) }).toEqual({ arn, key: THE_KEY, runs: true });
    }
  });
});
