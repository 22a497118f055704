/** What AWS, its SDK or the network said, as a sentence that tells a person what to do. Never holds what was sent. */
export function sentenceFor(error: unknown, operation: string, subject: string): string {
  const name = error instanceof Error ? error.name : typeof error;
  const message = error instanceof Error ? error.message : '';
  if (/Region is missing/.test(message)) {
    return 'no AWS region is set; set AWS_REGION, or pass --region (for a stack on this machine pass --endpoint)';
  }
  if (/^(?:CredentialsProviderError|TokenProviderError)$/.test(name)) {
    if (/\bSSO\b/i.test(message)) {
      return 'the AWS session of this profile is over, or was not begun; run `aws sso login` with the same AWS_PROFILE';
    }
    return (
      'no AWS credentials were found; set AWS_PROFILE to a profile that has some, or AWS_ACCESS_KEY_ID and ' +
      'AWS_SECRET_ACCESS_KEY ' +
      '(for a stack on this machine pass --endpoint)'
    );
  }
  if (/Token|Credential|Signature|^UnrecognizedClient|^NotAuthorized$/.test(name)) {
    return `AWS does not take these credentials (${name}); log in again, or set AWS_PROFILE`;
  }
  if (isNotPermitted(error)) {
    const other = OTHER_REMEDIES[operation] ?? '';
    return `${operation} is not allowed; allow ${permissionOf(operation)} on ${subject}${other}`;
  }
  const unreachable = unreachableCode(error);
  if (unreachable !== undefined) {
    return (
      `nothing answers ${operation} at ${addressIn(error)} (${unreachable}); check --endpoint, AWS_ENDPOINT_URL and ` +
      'AWS_REGION, and whether the stack is running'
    );
  }
  return sentenceOfService(name, operation, subject) ?? fallback(error, name, operation, subject);
}

const OF_OBJECTS =
  ', and kms:Decrypt where a key of yours encrypts it; without s3:ListBucket S3 says this of an object that is gone, too';
const OTHER_REMEDIES: Readonly<Record<string, string>> = {
  ListStateMachines: ', or pass --state-machine ARN',
  GetObject: OF_OBJECTS,
  HeadObject: OF_OBJECTS,
};

/** Whether AWS has refused for want of a permission: to a HEAD of S3 it says so by the status alone. */
export function isNotPermitted(error: unknown): boolean {
  const { name, $metadata } = (error ?? {}) as SdkError;
  return (
    /^AccessDenied/.test(name ?? '') ||
    ($metadata?.httpStatusCode === 403 && /^(?:403|Forbidden|UnknownError|Unknown)$/.test(name ?? ''))
  );
}

interface SdkError {
  readonly name?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

function sentenceOfService(name: string, operation: string, subject: string): string | undefined {
  if (/^StateMachine(?:DoesNotExist|Deleting)$|^InvalidArn$/.test(name)) {
    return `there is no ${subject} in this region and account; check --state-machine, AWS_REGION and AWS_PROFILE`;
  }
  if (name === 'StateMachineTypeNotSupported')
    return `${operation} is not for ${subject}: it is an Express workflow`;
  if (name === 'ResourceNotFoundException') {
    return `there is no ${subject} in this region and account; check --table, AWS_REGION and AWS_PROFILE`;
  }
  if (name === 'ValidationException' && /Item$|^Scan$/.test(operation)) {
    return `${subject} holds no records of this workflow: its key has other attributes; check --table`;
  }
  if (/^Kms/.test(name))
    return `${operation} is refused by the key that encrypts ${subject} (${name}); allow kms:Decrypt on it`;
  if (/Throttl|TooManyRequests|RequestLimitExceeded|ProvisionedThroughputExceeded/.test(name)) {
    return `AWS has too much to do (${operation}: ${name}); try again in a minute`;
  }
  if (/^Internal|^ServiceUnavailable/.test(name)) {
    return `AWS has a fault of its own (${operation}: ${name}); try again in a minute`;
  }
  return undefined;
}

function fallback(error: unknown, name: string, operation: string, subject: string): string {
  const status = (error as SdkError | null)?.$metadata;
  const answer = status?.httpStatusCode === undefined ? '' : `, HTTP ${status.httpStatusCode}`;
  const advice =
    name === 'SyntaxError' || name === 'UnknownError' || name === 'Error'
      ? 'what answers there may be no AWS endpoint; check --endpoint and AWS_ENDPOINT_URL'
      : `check ${subject}, and try again`;
  return `${operation} failed (${name}${answer}); ${advice}`;
}

function permissionOf(operation: string): string {
  // A HEAD needs the permission of a GET.
  if (/Object$/.test(operation)) return 's3:GetObject';
  const service = /Item$|^Scan$|Table$/.test(operation)
    ? 'dynamodb'
    : /Queue|Message/.test(operation)
      ? 'sqs'
      : 'states';
  return `${service}:${operation}`;
}

const UNREACHABLE =
  /^(?:ECONN\w+|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EAI_AGAIN|EPIPE|EPROTO|TimeoutError)$/;

function unreachableCode(error: unknown): string | undefined {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  const known = [code, name].find(text => typeof text === 'string' && UNREACHABLE.test(text));
  return known === undefined ? undefined : String(known);
}

function addressIn(error: unknown): string {
  const one = error instanceof AggregateError ? error.errors[0] : error;
  const { address, port, hostname } = one as { address?: string; port?: number; hostname?: string };
  const host = address ?? hostname;
  if (host === undefined) return 'its endpoint';
  return port === undefined ? host : `${host}:${port}`;
}
