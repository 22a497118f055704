export interface WorkerData {
  /** Marks the messages of our own code. */
  readonly key: string;
  readonly taskRoot: string;
  readonly handler: string;
  readonly functionArn: string;
  /**
   * Not in the environment of the worker at first: Node would read it, and rejects options that only a process can
   * have.
   */
  readonly nodeOptions: string | undefined;
  readonly responseBytesMax: number;
  readonly outputCharactersMax: number;
}

/**
 * An event for the handler. Sent only to an environment that has said `loaded` and has answered the previous
 * one.
 */
export interface InvokeMessage {
  readonly requestId: string;
  readonly eventText: string;
  /** How long the handler may take from when it gets the event. */
  readonly timeoutMs: number;
  /** For `_X_AMZN_TRACE_ID`. */
  readonly traceHeader: string;
}

/** The form in which a message comes through the port. */
export interface Posted {
  readonly key: string;
  readonly message: WorkerMessage;
}

/**
 * What the worker says. `crashed` names the invocation whose code failed, which may have been answered long
 * ago.
 */
export type WorkerMessage =
  | { readonly kind: 'loaded' }
  | { readonly kind: 'loadFailed'; readonly payloadText: string }
  | { readonly kind: 'started'; readonly requestId: string }
  | { readonly kind: 'answered'; readonly requestId: string; readonly payloadText: string }
  | { readonly kind: 'failed'; readonly requestId: string; readonly payloadText: string }
  | { readonly kind: 'responseTooLarge'; readonly requestId: string }
  | { readonly kind: 'crashed'; readonly requestId: string | undefined; readonly payloadText: string }
  | { readonly kind: 'output'; readonly text: string };
