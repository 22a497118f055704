import { setMaxListeners } from 'node:events';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ListStateMachinesCommand, SFNClient } from '@aws-sdk/client-sfn';
import { SQSClient } from '@aws-sdk/client-sqs';
import { REAL_TIME } from '../../client/time';
import type { EpochMs } from '../../state-machine/contract/index';
import { ADDRESS, isAddress } from '../program/address';
import { usage } from '../program/rejection';
import type { Aws } from './aws';
import { isNotPermitted, sentenceFor } from './failures';
import type { Objects } from './objects';

/** The AWS endpoint and region, as the command line gives them. */
export interface Target {
  readonly endpoint: string | undefined;
  readonly region: string | undefined;
}

/** A person waits: what does not answer by then is said to. In milliseconds. */
const CONNECT_WITHIN_MS = 5_000;
const ANSWER_WITHIN_MS = 20_000;
/** An Express execution answers when it is over: within five minutes, and what its answer takes. */
const RUN_WITHIN_MS = 310_000;

/**
 * Clients with the SDK's own chain of credentials and regions. A stack on this machine needs neither: where the
 * environment sets none, it gets some.
 *
 * @throws Rejection for an endpoint that is not an address
 */
export function clientsFor(
  target: Target,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Aws & { close(): void } {
  // Each request under way listens, and a page has many of them: Node would take that for a leak.
  setMaxListeners(0, signal);
  const config = configFor(target, env);
  const sfn = new SFNClient({ ...config, requestHandler: givingUpAfter(ANSWER_WITHIN_MS) });
  const sfnForExpress = new SFNClient({ ...config, requestHandler: givingUpAfter(RUN_WITHIN_MS) });
  const clock = new ClockOfAws(sfn);
  const dynamodb = new DynamoDBClient({ ...config, requestHandler: givingUpAfter(ANSWER_WITHIN_MS) });
  const sqs = new SQSClient({ ...config, requestHandler: givingUpAfter(ANSWER_WITHIN_MS) });
  let objects: Objects | undefined;
  return {
    sfn,
    sfnForExpress,
    dynamodb,
    sqs,
    objects() {
      const s3 = {
        ...config,
        requestHandler: givingUpAfter(ANSWER_WITHIN_MS),
        forcePathStyle: hasEndpoint(target, env),
      };
      const { openObjects }: typeof import('./objects') = require('./objects');
      objects ??= openObjects(s3, signal);
      return objects;
    },
    time: { ...REAL_TIME, now: () => clock.now() },
    localEndpoint: localEndpointOf(target, env),
    signal,
    close() {
      sfn.destroy();
      sfnForExpress.destroy();
      dynamodb.destroy();
      sqs.destroy();
      objects?.close();
    },
  };
}

/** The settings of a client. @throws Rejection for an endpoint that is not an address */
export function configFor(target: Target, env: NodeJS.ProcessEnv) {
  const isHere = localEndpointOf(target, env) !== undefined;
  const hasCredentials = ['AWS_ACCESS_KEY_ID', 'AWS_PROFILE'].some(name => env[name]);
  const region =
    target.region ?? (isHere && !env['AWS_REGION'] && !env['AWS_PROFILE'] ? 'us-east-1' : undefined);
  return {
    ...(target.endpoint !== undefined && { endpoint: target.endpoint }),
    ...(region !== undefined && { region }),
    ...(isHere && !hasCredentials && { credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }),
    // `sync-127.0.0.1` is nowhere.
    ...(isHere && { disableHostPrefix: true }),
  };
}

/** The endpoint, if it is on this machine. @throws Rejection for one that is not an address */
function localEndpointOf(target: Target, env: NodeJS.ProcessEnv): string | undefined {
  const endpoint = target.endpoint ?? env['AWS_ENDPOINT_URL'];
  return endpoint !== undefined && isLoopback(addressOf(endpoint)) ? endpoint : undefined;
}

function hasEndpoint({ endpoint }: Target, env: NodeJS.ProcessEnv): boolean {
  return (endpoint ?? env['AWS_ENDPOINT_URL']) !== undefined;
}

function givingUpAfter(requestTimeout: number) {
  // Without the last the SDK warns, and waits for ever.
  return { connectionTimeout: CONNECT_WITHIN_MS, requestTimeout, throwOnRequestTimeout: true };
}

/**
 * The time of day as AWS has it: graces are counted from times that AWS has written, and a laptop's clock may be wrong
 * by minutes.
 */
class ClockOfAws {
  #offsetMs = 0;

  constructor(sfn: SFNClient) {
    sfn.middlewareStack.add(
      next => async args => {
        const answer = await next(args);
        this.#compare(answer.response);
        return answer;
      },
      { step: 'deserialize', name: 'onceflowClock', priority: 'low' },
    );
  }

  now(): EpochMs {
    return (Date.now() + this.#offsetMs) as EpochMs;
  }

  #compare(response: unknown): void {
    const { headers } = (response ?? {}) as { readonly headers?: Readonly<Record<string, string>> };
    const offsetMs = Date.parse(headers?.['date'] ?? '') - Date.now();
    // The header has whole seconds, and took its time to come.
    if (Math.abs(offsetMs) > DIFFERENCE_MS) this.#offsetMs = offsetMs;
  }
}

const DIFFERENCE_MS = 3_000;

function addressOf(endpoint: string): URL {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  // A stack of this machine has no path; a gateway elsewhere may have one.
  const hasPath = url && isLoopback(url) && !/^\/*$/.test(url.pathname);
  if (url && /^https?:$/.test(url.protocol) && !hasPath) return url;
  throw usage(
    isAddress(endpoint)
      ? 'the endpoint must be an address without a path, such as http://127.0.0.1:8083. Check --endpoint and AWS_ENDPOINT_URL'
      : `AWS_ENDPOINT_URL must be ${ADDRESS}; check that it begins with http://`,
  );
}

function isLoopback({ hostname }: URL): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

/**
 * Why an endpoint does not answer, a sentence; undefined if it does, also if it denies the request.
 *
 * @throws the reason of `signal`, once that is aborted
 */
export async function endpointProblem({ sfn, signal }: Aws): Promise<string | undefined> {
  try {
    await sfn.send(new ListStateMachinesCommand({ maxResults: 1 }), { abortSignal: signal });
    return undefined;
  } catch (error) {
    signal?.throwIfAborted();
    return isNotPermitted(error) ? undefined : sentenceFor(error, 'ListStateMachines', 'this endpoint');
  }
}
