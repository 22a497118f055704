import { Aspects, CfnResource, type RemovalPolicy } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/**
 * Gives everything within a construct that holds a promise this removal policy. A state machine that is deleted ends
 * its executions between the step and its record, and without its role and policies it can finish none; a queue that
 * is deleted takes the events in it along. What CDK adds later, such as the policy of a role, is included.
 */
export function keepPromises(construct: IConstruct, policy: RemovalPolicy): void {
  Aspects.of(construct).add({
    visit: node => {
      if (!CfnResource.isCfnResource(node) || !PROMISES.has(node.cfnResourceType)) return;
      node.applyRemovalPolicy(policy, { applyToUpdateReplacePolicy: true });
    },
  });
}

const PROMISES: ReadonlySet<string> = new Set([
  'AWS::StepFunctions::StateMachine',
  'AWS::IAM::Role',
  'AWS::IAM::Policy',
  'AWS::Lambda::Function',
  'AWS::SQS::Queue',
  'AWS::SQS::QueuePolicy',
  'AWS::DynamoDB::Table',
]);
