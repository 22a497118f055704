import type { Resource } from './definition';

/** The resource a Task's ARN names; undefined when it is none of an integration, a function or an activity. */
export function parseResource(arn: string): Resource | undefined {
  return parseFunction(arn) ?? parseIntegration(arn) ?? parseActivity(arn);
}

/** The resource a service integration's ARN names, or undefined when the ARN is of another form. */
export function parseIntegration(arn: string): Resource | undefined {
  const named = INTEGRATION.exec(arn)?.[1];
  if (named === undefined) return undefined;
  const parts = named.split(':');
  const serviceParts = parts[0] === 'aws-sdk' ? 2 : 1;
  // `aws-sdk:dynamodb` alone names no operation.
  if (parts.length <= serviceParts) return undefined;
  const service = parts.slice(0, serviceParts).join(':');
  const operation = parts.slice(serviceParts).join(':');
  const isCallback = operation.endsWith(CALLBACK);
  const pattern = isCallback ? 'callback' : /\.sync(?::2)?$/.test(operation) ? 'sync' : 'request';
  const integration = isCallback ? named.slice(0, -CALLBACK.length) : named;
  return { arn, integration, service, operation, pattern };
}

/** Templates fill in the region and the account, which change nothing. */
const INTEGRATION =
  /^arn:(?:aws|aws-cn|aws-us-gov):states:[^:]*:[^:]*:((?!(?:activity|stateMachine|execution|express|mapRun):)[^:]+(?::[^:]+)+)$/;

/** Under which name a service table has the functions that a state names by their bare ARN. */
const FUNCTION_INTEGRATION = 'lambda:function';

const CALLBACK = '.waitForTaskToken';

function parseActivity(arn: string): Resource | undefined {
  if (!/^arn:(?:aws|aws-cn|aws-us-gov):states:[^:]+:[^:]+:activity:[^:]+$/.test(arn)) return undefined;
  return { arn, integration: 'states:activity', service: arn, operation: arn, pattern: 'activity' };
}

function parseFunction(arn: string): Resource | undefined {
  if (!/^arn:(?:aws|aws-cn|aws-us-gov):lambda:[^:]+:[^:]+:function:[^:]+(?::[^:]+)?$/.test(arn))
    return undefined;
  return { arn, integration: FUNCTION_INTEGRATION, service: arn, operation: arn, pattern: 'function' };
}
