import type { IncomingHttpHeaders } from 'node:http';

// `sync-` is what SDKs put before the host for StartSyncExecution. Names that merely resolve to this machine do not
// count: a page in a browser can be given one (DNS rebinding).
const HOST = /^(?:sync-)?(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;
const ORIGIN = /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;

/**
 * Why a request must not be answered, or undefined when it may.
 *
 * The endpoint trusts whoever can reach it, so it answers only who means it: a request that was addressed to this
 * machine by name or number, and that no page of another site has made a browser send.
 */
export function refusalOf(headers: IncomingHttpHeaders): string | undefined {
  const { host = '', origin } = headers;
  if (!HOST.test(host)) return `Host '${host}' is not this machine; use 127.0.0.1 or localhost`;
  if (origin !== undefined && !ORIGIN.test(origin)) return `Origin '${origin}' is not on this machine`;
  return undefined;
}
