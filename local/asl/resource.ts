import type { Resource } from './definition';

/** The resource a service integration's ARN names, or undefined when the ARN is of another form. */
export function parseIntegration(arn: string): Resource | undefined {
  const integration = /^arn:(?:aws|aws-cn|aws-us-gov):states:::([^:]+(?::[^:]+)+)$/.exec(arn)?.[1];
  if (integration === undefined) return undefined;
  const parts = integration.split(':');
  const serviceParts = parts[0] === 'aws-sdk' ? 2 : 1;
  // `aws-sdk:dynamodb` alone names no operation.
  if (parts.length <= serviceParts) return undefined;
  const service = parts.slice(0, serviceParts).join(':');
  return { arn, integration, service, operation: parts.slice(serviceParts).join(':') };
}
