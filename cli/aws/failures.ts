/** What AWS, its SDK or the network said, as a sentence that says what to do. Never holds what was sent. */
export function sentenceFor(error: unknown, operation: string, subject: string): string {
  const name = error instanceof Error ? error.name : typeof error;
  const message = error instanceof Error ? error.message : '';
  if (/Region is missing/.test(message)) {
    return `no AWS region is set. Set AWS_REGION, or pass --region (${FOR_A_LOCAL_STACK})`;
  }
  if (/^(?:CredentialsProviderError|TokenProviderError)$/.test(name)) {
    if (/\bSSO\b/i.test(message)) {
      return 'the AWS SSO session of this profile has expired or was never started. Run `aws sso login` with the same AWS_PROFILE';
    }
    return (
      'no AWS credentials were found. Set AWS_PROFILE to a profile with credentials, or AWS_ACCESS_KEY_ID and ' +
      `AWS_SECRET_ACCESS_KEY (${FOR_A_LOCAL_STACK})`
    );
  }
  if (/Token|Credential|Signature|^UnrecognizedClient|^NotAuthorized$/.test(name)) {
    return `AWS rejects these credentials (${name}). Log in again, or set AWS_PROFILE`;
  }
  if (isNotPermitted(error)) {
    const other = OTHER_REMEDIES[operation] ?? '';
    return `${operation} is denied. Allow ${permissionOf(operation)} on ${subject}${other}`;
  }
  if (SPEAKS_NO_TLS.test(message)) {
    return (
      `${operation} got no answer, because the endpoint does not speak TLS. A local stack has http:// addresses: check ` +
      '--endpoint and AWS_ENDPOINT_URL'
    );
  }
  const unreachable = unreachableCode(error);
  if (unreachable !== undefined) {
    return (
      `${operation} got no answer from ${addressIn(error)} (${unreachable}). Check --endpoint, AWS_ENDPOINT_URL and ` +
      'AWS_REGION, and that the stack is running'
    );
  }
  return sentenceOfService(name, operation, subject) ?? fallback(error, name, operation, subject);
}

/** OpenSSL's words where the answer is none of TLS, such as one of HTTP. */
const SPEAKS_NO_TLS = /wrong version number|packet length too long/;
const FOR_A_LOCAL_STACK =
  'for a local stack, pass --endpoint with an address of this machine, such as http://127.0.0.1:8083';
const OF_OBJECTS =
  ', and kms:Decrypt if your own key encrypts it. Without s3:ListBucket, S3 also denies access to a deleted object';
const OTHER_REMEDIES: Readonly<Record<string, string>> = {
  ListStateMachines: ', or pass --state-machine ARN',
  GetObject: OF_OBJECTS,
  HeadObject: OF_OBJECTS,
};

/** Whether AWS denied the request for lack of a permission: for a HEAD, S3 says so by the status alone. */
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
    return `there is no ${subject} in this region and account. Check --state-machine, AWS_REGION and AWS_PROFILE`;
  }
  if (name === 'StateMachineTypeNotSupported')
    return `${operation} does not work for ${subject}, because it is an Express workflow`;
  if (name === 'ResourceNotFoundException') {
    return `there is no ${subject} in this region and account. Check --table, AWS_REGION and AWS_PROFILE`;
  }
  if (name === 'ValidationException' && /Item$|^Scan$/.test(operation)) {
    return `${subject} cannot hold records of this workflow, because its key has other attributes. Check --table`;
  }
  if (/^Kms/.test(name))
    return `${operation} is denied by the KMS key of ${subject} (${name}). Allow kms:Decrypt on the key`;
  if (/Throttl|TooManyRequests|RequestLimitExceeded|ProvisionedThroughputExceeded/.test(name)) {
    return `AWS throttles ${operation} (${name}). Try again in a minute`;
  }
  if (/^Internal|^ServiceUnavailable/.test(name)) {
    return `AWS failed to process ${operation} (${name}). Try again in a minute`;
  }
  return undefined;
}

function fallback(error: unknown, name: string, operation: string, subject: string): string {
  const status = (error as SdkError | null)?.$metadata;
  const answer = status?.httpStatusCode === undefined ? '' : `, HTTP ${status.httpStatusCode}`;
  const advice =
    name === 'SyntaxError' || name === 'UnknownError' || name === 'Error'
      ? 'The endpoint might not be an AWS endpoint: check --endpoint and AWS_ENDPOINT_URL'
      : `Check ${subject}, and try again`;
  return `${operation} failed (${name}${answer}). ${advice}`;
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
