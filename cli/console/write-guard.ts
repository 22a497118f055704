import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** The header that has the token. A page of another address cannot send it without asking first, which is refused. */
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
  refusalOf(headers: IncomingHttpHeaders): string | undefined {
    const given = headers[TOKEN_HEADER];
    if (typeof given !== 'string' || !isSame(given, this.#token)) {
      return 'this was sent without the token of this page: the server has been started anew since; reload the page';
    }
    const [type] = (headers['content-type'] ?? '').split(';');
    if (type?.trim().toLowerCase() !== 'application/json') return 'only application/json is taken';
    return undefined;
  }
}

// Hashes are of one length, and how far they agree tells nothing of the token.
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map(text => createHash('sha256').update(text, 'utf8').digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
