import { type Shape, structure } from '../shape';
import { DYNAMODB } from './dynamodb';
import { LAMBDA } from './lambda';
import { EVENTS, SNS, SQS } from './messages';
import { S3 } from './s3';
import { KMS, SECRETS_MANAGER, SSM } from './secrets';
import { SFN } from './sfn';

type Response = Shape & { readonly kind: 'structure' };

/** The answers of services as Step Functions shows them, by the names that resources have for the services. */
const SERVICES: { readonly [service: string]: { readonly [operation: string]: Response } } = {
  dynamodb: DYNAMODB,
  events: EVENTS,
  eventbridge: EVENTS,
  kms: KMS,
  lambda: LAMBDA,
  s3: S3,
  secretsmanager: SECRETS_MANAGER,
  sfn: SFN,
  sns: SNS,
  sqs: SQS,
  ssm: SSM,
};

/** Integrations whose result is not the service's answer as it is. */
const OPTIMIZED: ReadonlyMap<string, Response> = new Map([
  // The payload is the value itself, not its text.
  ['lambda:invoke', without(LAMBDA.invoke, 'Payload')],
  ['states:startExecution', SFN.startExecution],
  ['states:startExecution.sync', SFN.describeExecution],
  // Input and output are the values themselves.
  ['states:startExecution.sync:2', without(SFN.describeExecution, 'Input', 'Output')],
]);

/** What an integration (`dynamodb:putItem`, `aws-sdk:s3:getObject`) answers, where that is known here. */
export function responseShape(integration: string): Response | undefined {
  const [service = '', operation = ''] = integration.replace(/^aws-sdk:/, '').split(':');
  const operations = Object.hasOwn(SERVICES, service) ? SERVICES[service] : undefined;
  const known = operations && Object.hasOwn(operations, operation) ? operations[operation] : undefined;
  return OPTIMIZED.get(integration) ?? known;
}

function without({ members, required }: Response, ...names: readonly string[]): Response {
  return structure(
    Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name))),
    required.filter(name => !names.includes(name)),
  );
}
