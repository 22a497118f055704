import type { ResourceType, ResourceTypes } from '../resource-type';
import { DYNAMODB_GLOBAL_TABLE } from './dynamodb-global-table';
import { DYNAMODB_TABLE } from './dynamodb-table';
import { EVENT_BUS } from './events-event-bus';
import { EVENT_RULE } from './events-rule';
import { LAMBDA_ALIAS } from './lambda-alias';
import { EVENT_SOURCE_MAPPING } from './lambda-event-source-mapping';
import { LAMBDA_FUNCTION } from './lambda-function';
import { LAMBDA_VERSION } from './lambda-version';
import { NAMES_ONLY } from './names-only';
import { SQS_QUEUE } from './sqs-queue';
import { STATE_MACHINE } from './stepfunctions-state-machine';

/** The CloudFormation types we know. To add one: a file beside this one, and a line here. */
export const RESOURCE_TYPES: ResourceTypes = new Map<string, ResourceType>([
  ['AWS::StepFunctions::StateMachine', STATE_MACHINE],
  ['AWS::Lambda::Function', LAMBDA_FUNCTION],
  ['AWS::Lambda::Version', LAMBDA_VERSION],
  ['AWS::Lambda::Alias', LAMBDA_ALIAS],
  ['AWS::DynamoDB::Table', DYNAMODB_TABLE],
  ['AWS::DynamoDB::GlobalTable', DYNAMODB_GLOBAL_TABLE],
  ['AWS::Events::EventBus', EVENT_BUS],
  ['AWS::Events::Rule', EVENT_RULE],
  ['AWS::SQS::Queue', SQS_QUEUE],
  ['AWS::Lambda::EventSourceMapping', EVENT_SOURCE_MAPPING],
  ...NAMES_ONLY,
]);
