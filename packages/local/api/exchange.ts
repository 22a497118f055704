import type { IncomingHttpHeaders } from 'node:http';

/** The facts of a request before its body is read. */
export interface RequestHead {
  readonly method: string;
  /** Without the query, as it was sent. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** What `x-amz-target` names, e.g. `AWSStepFunctions` and `StartExecution`; empty where there is none. */
  readonly target: { readonly service: string; readonly operation: string };
}

/** Calls a function when the sender of a request has its answer, or no longer waits for it. */
export type WhenGone = (listener: () => void) => void;

/** A request with its body. */
export interface ApiRequest extends RequestHead {
  readonly body: Buffer;
  readonly requestId: string;
  /** @default - callers never disconnect */
  readonly whenGone?: WhenGone;
}

/** An answer as it goes on the wire; `x-amzn-RequestId` and the length are added to its headers. */
export interface ApiAnswer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: string | Buffer;
}

/** How requests of one kind are answered. */
export interface Route {
  /** Larger bodies are rejected with 413. */
  readonly bodyBytesMax: number;
  /** Answers; a StatesError or RequestError that is thrown becomes the answer of the same name. */
  readonly handle: (request: ApiRequest) => Promise<ApiAnswer>;
  /** How it is answered that a body is too large, in the service's own form. @default - as AWS JSON */
  readonly tooLarge?: (requestId: string) => ApiAnswer;
}

/** The requests of one service, and how they are answered. */
export interface ServiceRoute extends Route {
  /** What people call the service, and what its requests are signed for. */
  readonly service: { readonly title: string; readonly signingName: string };
  /**
   * What its requests name in `x-amz-target` before the dot or, where the service speaks REST, post to. Forms are known
   * by the service that they are signed for, and so is what may have any method and path.
   */
  readonly requests:
    | { readonly target: string }
    | { readonly path: RegExp }
    | { readonly form: true }
    | { readonly signed: true };
  /** Content types that its requests may have, in small letters. @default - those of AWS JSON */
  readonly contentTypes?: readonly string[];
  /** Operations that may block until clock time has passed. @default - none */
  readonly blockingOperations?: ReadonlySet<string>;
}

/** Wraps the handling of a request that blocks; gets the trace header of the caller. */
export type WrapBlockingRequest = <Answer>(
  traceHeader: string | undefined,
  answer: () => Promise<Answer>,
) => Promise<Answer>;
