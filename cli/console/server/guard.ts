import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/**
 * Why a request must not be answered, or undefined when it may. The page shows the data that the caller's credentials
 * may read, to every browser that reaches it. So it answers only requests that address this machine by name or number.
 * A page behind a name of its own (DNS rebinding) gets no answer, and neither does a request that another page has made
 * a browser send.
 */
export function rejectionOf(headers: IncomingHttpHeaders, port: number): string | undefined {
  const { host = '', origin } = headers;
  const own = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];
  if (!own.includes(host.toLowerCase()))
    return `Host '${host}' is not this page's address; use 127.0.0.1:${port}`;
  if (origin !== undefined && origin !== `http://${host}`) {
    return `Origin '${origin}' is not this page's own; other pages are not answered`;
  }
  const site = headers['sec-fetch-site'];
  // A link in another page may open this one; it cannot read what it opens.
  const isOpened = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && !isOpened) {
    return 'other pages are not answered';
  }
  return undefined;
}

/** What every answer says: nothing is loaded from elsewhere, shown within another page, kept, or taken for code. */
export const SECURITY_HEADERS: OutgoingHttpHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

/** The header that has the token. A page of another address cannot send it without asking first, which is rejected. */
export const TOKEN_HEADER = 'x-onceflow-token';

/** Room for an input of 256 KiB, escaped as JSON within JSON. */
export const BODY_BYTES_MAX = 1024 * 1024;

/** Lets only those write whom this very server has served its page to. */
export class WriteGuard {
  readonly #token = randomBytes(32).toString('base64url');

  /** The page with the token in it. */
  pageOf(html: string): string {
    return html.replace('</head>', `<meta name="onceflow-token" content="${this.#token}" /></head>`);
  }

  /** Why a request may not write; undefined where it may. */
  rejectionOf(headers: IncomingHttpHeaders): string | undefined {
    const given = headers[TOKEN_HEADER];
    if (typeof given !== 'string' || !isSame(given, this.#token)) {
      return 'the token of the page is missing or outdated, because the server was restarted. Reload the page';
    }
    const [type] = (headers['content-type'] ?? '').split(';');
    if (type?.trim().toLowerCase() !== 'application/json') return 'the content type must be application/json';
    return undefined;
  }
}

// Hashes are of one length, and how far they agree tells nothing of the token.
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map(text => createHash('sha256').update(text, 'utf8').digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
