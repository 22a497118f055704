import type { Json } from '@onceflow/local';
import { DYNAMODB } from './dynamodb';
import { oneOf, type Random } from './json';
import type { Known, Operations } from './known';
import { EVENTS, LAMBDA, SNS, SQS } from './messages';
import { STATES } from './states';

const SERVICES = {
  states: STATES,
  dynamodb: DYNAMODB,
  events: EVENTS,
  sqs: SQS,
  sns: SNS,
  lambda: LAMBDA,
} satisfies Readonly<Record<string, Operations>>;

/** A service that requests are sent to. */
export type ServiceName = keyof typeof SERVICES;

/** A request of one service before anything is done to it. */
export interface Operation {
  readonly service: ServiceName;
  readonly name: string;
  readonly body: Json;
}

const ALL = Object.entries<Operations>(SERVICES).flatMap(([service, operations]) =>
  Object.entries(operations).map(([name, body]) => [service as ServiceName, name, body] as const),
);

/** The operations that a service has here, e.g. `PutItem`. */
export function operationNames(service: ServiceName): readonly string[] {
  return Object.keys(SERVICES[service]);
}

/** The resources that requests create must exist for a while, or the other requests have no subject. */
const MAKES = /^(?:Create|Start|Send|Put|Update|Receive|Subscribe|Publish$)/;
const UNMAKES = /^(?:Delete(?!Item|Message)|Purge|Unsubscribe)/;
const WEIGHTED = ALL.flatMap(operation => {
  const [, name] = operation;
  return Array.from({ length: MAKES.test(name) ? 6 : UNMAKES.test(name) ? 1 : 3 }, () => operation);
});

/** A request as a client might well send it: operations that make something are likelier, that end it less likely. */
export function operation(random: Random, known: Known): Operation {
  const [service, name, body] = oneOf(random, WEIGHTED);
  return { service, name, body: body(random, known) };
}
