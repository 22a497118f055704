import type { ResourceTypes } from '../assembly/types';
import { DYNAMODB_RESOURCE_TYPES } from './dynamodb/cloudformation';
import { EVENTS_RESOURCE_TYPES } from './events/cloudformation';
import { LAMBDA_RESOURCE_TYPES } from './lambda/cloudformation';
import { SQS_RESOURCE_TYPES } from './sqs/cloudformation';
import { STATES_RESOURCE_TYPES } from './states/cloudformation';

/** The resource types of all services. */
export const RESOURCE_TYPES: ResourceTypes = new Map([
  ...DYNAMODB_RESOURCE_TYPES,
  ...SQS_RESOURCE_TYPES,
  ...LAMBDA_RESOURCE_TYPES,
  ...EVENTS_RESOURCE_TYPES,
  ...STATES_RESOURCE_TYPES,
]);
