import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Service, ServiceTable } from '../runtime/service';
import { dynamoDbServices } from './dynamodb/service';
import type { EventBuses } from './events/buses';
import type { LambdaFunctions } from './lambda/functions';
import { createLambdaService } from './lambda/service';
import { type StepFunctionsApi, stepFunctionsServices } from './sfn/service';

/** The local services that a state machine's integrations reach. */
export interface LocalServices {
  readonly dynamoDb: DynamoDBClient;
  readonly functions: LambdaFunctions;
  readonly eventBuses: EventBuses;
  readonly stepFunctions: StepFunctionsApi;
  readonly newRequestId: () => string;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** All integrations the local runtime knows, by resource. A definition with any other is refused by name. */
export function serviceTable(services: LocalServices): ServiceTable {
  const { newRequestId, now } = services;
  return new Map<string, Service>([
    ...dynamoDbServices(services.dynamoDb),
    ['lambda:invoke', createLambdaService(services.functions, { newRequestId, now })],
    ['events:putEvents', services.eventBuses.service],
    ...stepFunctionsServices(services.stepFunctions, { newRequestId }),
  ]);
}
