/** The first message to a process of Node.js: its settings. */
export interface NodeConfiguration {
  readonly environment: Readonly<Record<string, string>>;
  readonly taskRoot: string;
  readonly handler: string;
  readonly functionArn: string;
  /** As the template names it. */
  readonly runtime: string | undefined;
  readonly responseBytesMax: number;
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

/**
 * What the process of an environment says. `crashed` names the invocation whose code failed, which may have been
 * answered long ago.
 */
export type ProcessMessage =
  | { readonly kind: 'loaded' }
  | { readonly kind: 'loadFailed'; readonly payloadText: string }
  | { readonly kind: 'started'; readonly requestId: string }
  | { readonly kind: 'answered'; readonly requestId: string; readonly payloadText: string }
  | { readonly kind: 'failed'; readonly requestId: string; readonly payloadText: string }
  | { readonly kind: 'responseTooLarge'; readonly requestId: string }
  | { readonly kind: 'crashed'; readonly requestId: string | undefined; readonly payloadText: string }
  | { readonly kind: 'output'; readonly text: string };
