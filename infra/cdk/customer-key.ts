import { Annotations, ArnFormat, Aws, Lazy, Stack } from 'aws-cdk-lib';
import { type Conditions, type IGrantable, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { CfnStateMachine, type IStateMachine, type StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { IConstruct } from 'constructs';
import { isNoted, noted } from '../../state-machine/template/noted';
import { requireUnchanged } from '../../state-machine/template/require-unchanged';
import { describeValue } from '../../state-machine/words/describe-value';
import { documentation } from '../../state-machine/words/documentation';
import { acknowledge, FINDING } from './acknowledge';
import { requireOwn } from './resource-bounds';

// One key of the customer for all that a workflow keeps of its events: state machines, queues, log groups, and the
// table of its own. What executions and their logs need is in "Data at rest encryption" of the Step Functions Developer
// Guide. CDK's own `encryptionConfiguration` gives the role of a state machine without a name no usable permission: its
// condition is for an ARN that ends where the name would be.

const MACHINE_CONTEXT = 'kms:EncryptionContext:aws:states:stateMachineArn';

/**
 * Rejects a value that is not a key, and a key of another region. Also rejects an alias, because no policy of a role
 * permits a key by its alias.
 *
 * @throws Error with the remedy
 */
export function requireKey(key: IKey, scope: IConstruct): void {
  const isAlias = typeof key === 'object' && key !== null && 'aliasName' in key;
  if (isAlias || typeof key?.keyArn !== 'string') {
    throw new Error(
      '`encryptionKey` must be the KMS key itself, such as new Key(this, …) or Key.fromKeyArn(this, …), got ' +
        (isAlias ? 'an alias' : describeValue(key)),
    );
  }
  requireOwn('encryptionKey', key, key.keyArn, scope);
}

/**
 * Encrypts with a key what is defined within a construct from now on.
 *
 * @throws Error for a value that is not a key
 */
export function encryptWithin(construct: IConstruct, key: IKey | undefined): void {
  if (key === undefined) return;
  requireKey(key, construct);
  noted(construct, KEY, () => key);
  if (key instanceof Key) return;
  Annotations.of(construct).addWarningV2(
    'onceflow:encryptionKey',
    'the app does not contain the policy of `encryptionKey`. The policy must allow CloudWatch Logs, EventBridge and SNS ' +
      `to use the key as ${documentation('docs/operations/encryption.md')} lists; ` +
      'otherwise the deployment fails, or dead letters are lost',
  );
}

/** The key that encrypts a construct; undefined: one that AWS owns. */
export function keyOf(construct: IConstruct): IKey | undefined {
  const owner = construct.node.scopes.findLast(one => isNoted(one, KEY));
  return owner && noted<IKey | undefined>(owner, KEY, () => undefined);
}

const KEY = 'EncryptionKey';

/** How a queue is encrypted that is defined within this construct. */
export function queueEncryption(scope: IConstruct): Pick<QueueProps, 'encryption' | 'encryptionMasterKey'> {
  const key = keyOf(scope);
  if (!key) return { encryption: QueueEncryption.SQS_MANAGED };
  return { encryption: QueueEncryption.KMS, encryptionMasterKey: key };
}

/** Permits a state machine to read and write the items of a table that a key of the customer encrypts. */
export function grantTableKey(stateMachine: IStateMachine & IGrantable, key: IKey | undefined): void {
  if (!key) return;
  key.grantEncryptDecrypt(stateMachine);
  for (const action of ['ReEncrypt*', 'GenerateDataKey*']) {
    acknowledge(
      stateMachine,
      FINDING.action(`kms:${action}`),
      'DynamoDB asks for both with the rights of its caller',
    );
  }
}

/** Encrypts definition and executions of a state machine with the key that it is within. */
export function encrypt(stateMachine: StateMachine): void {
  encryptWith(keyOf(stateMachine)?.keyArn, stateMachine);
}

/** The same with the key of another state machine, whose executions it handles. */
export function encryptLike(other: StateMachine, stateMachine: StateMachine): void {
  encryptWith(keyArnOf(other), stateMachine);
}

function encryptWith(kmsKeyId: string | undefined, stateMachine: StateMachine): void {
  const resource = stateMachine.node.defaultChild;
  if (kmsKeyId === undefined || !(resource instanceof CfnStateMachine)) return;
  resource.encryptionConfiguration = { type: 'CUSTOMER_MANAGED_KMS_KEY', kmsKeyId };
  grantOwnKey(stateMachine);
  if (resource.loggingConfiguration) deliverLogs(stateMachine, kmsKeyId);
}

/**
 * Lets a state machine that a key encrypts run. Its own ARN would be a circular dependency: the state machine depends
 * on this policy, so that it can run from the start. So the condition is about the state machines of the account, those
 * included that a workflow has had before.
 */
export function grantOwnKey(stateMachine: StateMachine): void {
  const keyArn = keyArnOf(stateMachine);
  if (keyArn === undefined) return;
  const stateMachines = arnOf(stateMachine, 'states', 'stateMachine:*');
  stateMachine.addToRolePolicy(
    new PolicyStatement({
      actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
      resources: [keyArn],
      conditions: { ArnLike: { [MACHINE_CONTEXT]: stateMachines } },
    }),
  );
}

function deliverLogs(stateMachine: StateMachine, keyArn: string): void {
  const context = { 'kms:EncryptionContext:SourceArn': arnOf(stateMachine, 'logs', '*') };
  const conditions = { StringEquals: context };
  const write = new PolicyStatement({ actions: ['kms:GenerateDataKey'], resources: [keyArn], conditions });
  stateMachine.addToRolePolicy(write);
  permit(keyOf(stateMachine), 'delivery.logs.amazonaws.com', ['Decrypt'], conditions);
}

/**
 * Lets a caller see what a key encrypts of the executions of a state machine, and of its former ones: by
 * StartSyncExecution, DescribeExecution or GetExecutionHistory. No other operation takes the caller's permission.
 */
export function grantData(
  encrypted: IStateMachine,
  { grantPrincipal }: IGrantable,
  formerNames: readonly string[] = [],
): void {
  const keyArn = keyArnOf(encrypted);
  if (keyArn === undefined) return;
  const former = formerNames.map(name => arnOf(encrypted, 'states', `stateMachine:${name}`));
  const arns = [encrypted.stateMachineArn, ...former];
  grantPrincipal.addToPrincipalPolicy(
    new PolicyStatement({
      actions: ['kms:Decrypt'],
      resources: [keyArn],
      conditions: { StringEquals: { [MACHINE_CONTEXT]: arns.length === 1 ? arns[0] : arns } },
    }),
  );
}

/** The ARN of the key that encrypts a state machine; undefined: AWS owns it, or another app defines the machine. */
function keyArnOf(encrypted: IStateMachine): string | undefined {
  const resource = encrypted.node.defaultChild;
  if (!(resource instanceof CfnStateMachine)) return undefined;
  const { encryptionConfiguration: given } = resource;
  const kmsKeyId = given && 'kmsKeyId' in given ? given.kmsKeyId : undefined;
  const property = { 'AWS::StepFunctions::StateMachine': ['EncryptionConfiguration', 'KmsKeyId'] };
  requireUnchanged(encrypted, property, kmsKeyId, 'Set the key where you create the state machine');
  return kmsKeyId;
}

/** Lets EventBridge keep events in queues that are defined within this construct. */
export function permitEvents(scope: IConstruct): void {
  const conditions = { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } };
  permit(keyOf(scope), 'events.amazonaws.com', SEND, conditions);
}

/**
 * Lets SNS send the messages of topics of an account to queues that are defined within this construct. Which topic, the
 * policy of the queue says: here it would be a circular dependency if the key encrypts the topic as well.
 */
export function permitTopics(scope: IConstruct, { env }: ITopic): void {
  const topics = `arn:${Aws.PARTITION}:sns:${env.region}:${env.account}:*`;
  permit(keyOf(scope), 'sns.amazonaws.com', SEND, { ArnLike: { 'aws:SourceArn': topics } });
}

const SEND = ['Decrypt', 'GenerateDataKey'];

/** Lets CloudWatch Logs encrypt the log groups of this name. One statement in the policy of the key has all of them. */
export function permitLogs(scope: IConstruct, logGroupName: string): void {
  const key = keyOf(scope);
  if (!key) return;
  const arn = arnOf(scope, 'logs', `log-group:${logGroupName}`);
  const arns = noted<string[]>(key, 'LogGroups', () => []);
  if (arns.push(arn) > 1) return;
  const context = { 'kms:EncryptionContext:aws:logs:arn': Lazy.uncachedList({ produce: () => arns }) };
  permit(key, `logs.${Stack.of(scope).region}.${Aws.URL_SUFFIX}`, LOG, { ArnLike: context });
}

const LOG = ['Encrypt*', 'Decrypt*', 'ReEncrypt*', 'GenerateDataKey*', 'Describe*'];

function permit(key: IKey | undefined, service: string, operations: string[], conditions: Conditions): void {
  const principals = [new ServicePrincipal(service)];
  const actions = operations.map(operation => `kms:${operation}`);
  key?.addToResourcePolicy(new PolicyStatement({ principals, actions, resources: ['*'], conditions }));
}

function arnOf(scope: IConstruct, service: string, resource: string): string {
  return Stack.of(scope).formatArn({ service, resource, arnFormat: ArnFormat.NO_RESOURCE_NAME });
}
