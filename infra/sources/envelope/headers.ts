// Headers of a request that do not name it.

/** Headers that a client, or what is on the way, makes anew for each try of a request. */
export const CHANGING_HEADERS: ReadonlySet<string> = new Set([
  ...[
    'amz-sdk-invocation-id',
    'amz-sdk-request',
    'authorization',
    'b3',
    'baggage',
    'cf-ray',
    'cookie',
    'date',
    'dpop',
  ],
  ...[
    'forwarded',
    'sentry-trace',
    'signature',
    'signature-input',
    'traceparent',
    'tracestate',
    'uber-trace-id',
    'via',
  ],
  ...['x-amz-cf-id', 'x-amz-date', 'x-amz-security-token', 'x-amzn-trace-id', 'x-b3-spanid', 'x-b3-traceid'],
  ...['x-cloud-trace-context', 'x-datadog-trace-id', 'x-forwarded-for', 'x-real-ip'],
]);
/** Headers that say something about a client or a body, and not about one request. */
export const HEADERS_OF_MANY: ReadonlySet<string> = new Set([
  ...['accept', 'accept-encoding', 'accept-language', 'cache-control', 'connection', 'content-encoding'],
  ...[
    'content-length',
    'content-type',
    'host',
    'origin',
    'pragma',
    'referer',
    'sec-fetch-dest',
    'sec-fetch-mode',
  ],
  ...[
    'sec-fetch-site',
    'user-agent',
    'x-api-key',
    'x-forwarded-host',
    'x-forwarded-port',
    'x-forwarded-proto',
  ],
]);
