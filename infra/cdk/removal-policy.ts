import { Aspects, CfnResource, RemovalPolicy } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/**
 * What becomes of what holds a promise, unless the options say otherwise: it is retained when it leaves the stack or is
 * replaced. What a deployment has made that is rolled back has promised nothing yet, and its name would be taken when
 * the deployment is tried again: it is deleted.
 */
export const KEPT = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;

/**
 * Gives everything within a construct that holds a promise this removal policy. A state machine that is deleted ends
 * its executions between the step and its record, and without its role and policies it can finish none; a queue that
 * is deleted takes the events in it along. What CDK adds later, such as the policy of a role, is included.
 */
export function applyRemovalPolicy(construct: IConstruct, policy: RemovalPolicy): void {
  Aspects.of(construct).add({
    visit: node => {
      if (!CfnResource.isCfnResource(node) || !RETAINED_TYPES.has(node.cfnResourceType)) return;
      node.applyRemovalPolicy(policy, { applyToUpdateReplacePolicy: true });
    },
  });
}

const RETAINED_TYPES: ReadonlySet<string> = new Set([
  'AWS::StepFunctions::StateMachine',
  'AWS::IAM::Role',
  'AWS::IAM::Policy',
  'AWS::Lambda::Function',
  'AWS::SQS::Queue',
  'AWS::SQS::QueuePolicy',
  'AWS::DynamoDB::Table',
]);
