import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Service, ServiceTable } from '../runtime/service';
import { dynamoDbServices } from './dynamodb/service';
import type { EventBuses } from './events/buses';
import type { LambdaFunctions } from './lambda/functions';
import { createFunctionService, createLambdaService } from './lambda/service';
import type { Queues } from './sqs/queues';
import { sendMessageService } from './sqs/service';
import type { StepFunctionsApi } from './states/integrations/api';
import { stepFunctionsServices } from './states/integrations/service';

/** The local services that a state machine's integrations reach. */
export interface LocalServices {
  readonly dynamoDb: DynamoDBClient;
  readonly functions: LambdaFunctions;
  readonly eventBuses: EventBuses;
  readonly stepFunctions: StepFunctionsApi;
  /** @default - no queues, and so no integration */
  readonly queues?: Queues;
  readonly newRequestId: () => string;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** All integrations the local runtime knows, by resource. A definition with any other is refused by name. */
export function serviceTable(services: LocalServices): ServiceTable {
  const { queues, newRequestId, now } = services;
  return new Map<string, Service>([
    ...dynamoDbServices(services.dynamoDb),
    ['lambda:invoke', createLambdaService(services.functions, { newRequestId, now })],
    ['lambda:function', createFunctionService(services.functions, { newRequestId })],
    ['events:putEvents', services.eventBuses.service],
    ...(queues ? [['sqs:sendMessage', sendMessageService(queues, { newRequestId, now })] as const] : []),
    ...stepFunctionsServices(services.stepFunctions, { newRequestId, now }),
  ]);
}
