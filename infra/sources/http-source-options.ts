import type { Duration } from 'aws-cdk-lib';
import type { CorsOptions, MethodOptions, ThrottleSettings } from 'aws-cdk-lib/aws-apigateway';
import type { IdempotencyKey } from '../../state-machine/options/key';
import type { SourceOptions } from './workflow-source';

/**
 * What a request is answered with whose step has succeeded; JSONata in `{% %}` over the variable `result`.
 *
 * @example
 * Source.http('payments', { response: { status: 201, body: '{% $result.receipt %}' } })
 */
export interface HttpResponse {
  /** A number from 200 to 599, or an expression that gives one. @default 200 */
  readonly status?: number | string;
  /** Further headers, each a text or an expression. @default - none */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * An expression for the body. It is written anew, its numbers with 15 digits.
   *
   * @default - the result's own text, to the byte
   */
  readonly body?: string;
}

/**
 * Problem documents (RFC 9457) of a service with documentation of its own.
 *
 * @example
 * Source.http('payments', { problems: { type: 'https://api.example/problems/' } })
 */
export interface HttpProblems {
  /**
   * What `type` begins with: a URI that ends with `/`, `#`, `=` or `:`. The name of the problem is appended, such as
   * `in-progress`.
   */
  readonly type: string;
}

/**
 * Settings of `Source.http`.
 *
 * @example
 * Source.http('payments', { waitUpTo: Duration.seconds(10), errors: { CardDeclined: 402 } })
 */
export interface HttpSourceOptions extends SourceOptions {
  /** The method that is added to the resource. @default POST */
  readonly method?: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /**
   * Authorizer, API key, request validator and so on of the method. A caller that may send requests may also ask at the
   * `Location` of an answer, which has the same authorizer and API key. A method without authorization is a warning at
   * synthesis, unless you set `authorizationType: AuthorizationType.NONE`.
   */
  readonly methodOptions?: MethodOptions;
  /**
   * How many requests a second each method accepts from all callers together, and how many at once (`burstLimit`). API
   * Gateway answers 429 to the others, and starts nothing. Only with a path: a resource has the throttling of your API.
   *
   * @default - { rateLimit: 50, burstLimit: 100 }
   */
  readonly throttle?: ThrottleSettings;
  /** The header that holds the key: a String of RFC 9651 in quotes, or bare. @default Idempotency-Key */
  readonly header?: string;
  /**
   * The key from something else: JSONata in `{% %}` over the request, `{headers, path, query, principal, body}`, with
   * the names of headers in lower case, such as `{% $states.input.body.paymentId %}`. It may also be a list of the
   * parts of a composite key, or the hash of a part of the request, such as
   * `Key.ofPayload('{% $states.input.body %}')`. The caller comes first in every key.
   *
   * @default - the header
   */
  readonly idempotencyKey?: IdempotencyKey;
  /**
   * What tells callers apart, a reference to what API Gateway knows of them, such as
   * `$context.authorizer.claims.sub`. Two callers never share a key, unless `input` leaves the key to the workflow.
   *
   * @default - by the authorizer of `methodOptions`: the `principalId` of a Lambda authorizer, the `sub` of Cognito,
   * the ARN of IAM without its session, or the id of a Cognito identity pool's user. Without an authorizer it is the id
   * of the API key, if one is required. Otherwise all callers are one
   */
  readonly principal?: string;
  /**
   * The workflow's input: JSONata in `{% %}` over the request, which has the `idempotencyKey` that the input has by
   * default as well. For a workflow with other sources, whose own key then decides, such as
   * `{% {'detail': $states.input.body} %}`. If that key does not read the caller, the same key and payload have the
   * same answer for every caller, which is a warning at synthesis.
   *
   * @default - `{idempotencyKey, principal, path, body}`
   */
  readonly input?: string;
  /**
   * For how long a request waits for its result before it is answered 202, from 0 to 25 seconds. An Express workflow is
   * awaited for at most 20 seconds, at least 5 more than its step may take; then the answer is 503.
   *
   * @default Duration.seconds(20)
   */
  readonly waitUpTo?: Duration;
  /**
   * Which pages of browsers may send requests: as CDK's `addCorsPreflight` has it, for both methods, so without
   * `allowMethods`, and the headers on every answer of the source. With a path also on API Gateway's own answers, such
   * as 429; in an API of your own, add these with `addGatewayResponse`. `allowHeaders` has by default what a request
   * may need, with `Idempotency-Key` and `Prefer`, and `exposeHeaders` what an answer may have.
   *
   * @default - none
   */
  readonly cors?: CorsOptions;
  /** How a result becomes an answer. @default - 200 with the result's text */
  readonly response?: HttpResponse;
  /** The status, 400 to 599, of a step's failure by its error's name, as `{ CardDeclined: 402 }`. @default 500 */
  readonly errors?: Readonly<Record<string, number>>;
  /** The page about problems for your callers. @default - the guide of onceflow, which has a paragraph for each */
  readonly problems?: HttpProblems;
}
