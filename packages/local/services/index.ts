import type { ResourceTypes } from '../assembly/types';
import { API_GATEWAY } from './api-gateway/service';
import { CLOUDWATCH } from './cloudwatch/service';
import { DYNAMODB } from './dynamodb/service';
import { EVENTS } from './events/service';
import { LAMBDA } from './lambda/service';
import type { LocalService, ServiceContext, ServiceDefinition } from './local-service';
import { S3 } from './s3/service';
import { SNS } from './sns/service';
import { SQS } from './sqs/service';
import { STATES } from './states/service';

/**
 * The services of a stack, in the order in which they open. They are closed in the opposite order, so that what calls
 * others ends before what is called.
 */
const SERVICES = {
  cloudWatch: CLOUDWATCH,
  dynamoDb: DYNAMODB,
  sqs: SQS,
  s3: S3,
  lambda: LAMBDA,
  sns: SNS,
  events: EVENTS,
  states: STATES,
  apiGateway: API_GATEWAY,
} as const;

/** The types of resources that templates deploy of all services. */
export const RESOURCE_TYPES: ResourceTypes = new Map(
  Object.values(SERVICES).flatMap(({ resourceTypes }) => [...resourceTypes]),
);

/** The open services of a stack, by name. */
export type OpenServices = {
  readonly [Name in keyof typeof SERVICES]: Awaited<ReturnType<(typeof SERVICES)[Name]['open']>>;
};

/** Opens all services, one after another; `opened` is called with each of them. @throws LocalError */
export async function openServices(
  context: ServiceContext,
  opened: (service: LocalService) => void,
): Promise<OpenServices> {
  const services: Record<string, LocalService> = {};
  for (const [name, definition] of Object.entries<ServiceDefinition>(SERVICES)) {
    const service = await definition.open(context);
    opened(service);
    services[name] = service;
  }
  // Each is what the definition of its name has opened.
  return services as unknown as OpenServices;
}
