import { AspectPriority, Aspects, CfnResource, RemovalPolicy } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/**
 * The removal policy of resources that running executions and stored records need: they are retained if they leave the
 * stack or are replaced. If a deployment is rolled back, the resources that it created are deleted: no execution needs
 * them yet, and the next try of the deployment needs their names.
 */
export const KEPT = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;

/**
 * Gives the resources in a construct that running executions and stored records need this removal policy. If a state
 * machine is deleted, its executions end between the step and its record. Without its role and policies, no execution
 * can finish. If a queue is deleted, its events are lost. Resources that CDK adds later, such as the policy of a role,
 * are included. `RemovalPolicies.of` of the app overrules it, as it overrules every construct of CDK.
 */
export function applyRemovalPolicy(construct: IConstruct, policy: RemovalPolicy): void {
  Aspects.of(construct).add(
    {
      visit: node => {
        if (!CfnResource.isCfnResource(node) || !RETAINED_TYPES.has(node.cfnResourceType)) return;
        node.applyRemovalPolicy(policy, { applyToUpdateReplacePolicy: true });
      },
    },
    { priority: BEFORE_ASPECTS_OF_THE_APP },
  );
}

/** Lower than the priority of `RemovalPolicies.of(app)`, which decides for all of an app. */
const BEFORE_ASPECTS_OF_THE_APP = AspectPriority.MUTATING / 2;

const RETAINED_TYPES: ReadonlySet<string> = new Set([
  'AWS::StepFunctions::StateMachine',
  'AWS::IAM::Role',
  'AWS::IAM::Policy',
  'AWS::Lambda::Function',
  'AWS::SQS::Queue',
  'AWS::SQS::QueuePolicy',
  'AWS::DynamoDB::Table',
]);
