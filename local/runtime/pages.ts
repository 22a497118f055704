import { constraintError, StatesError } from './errors';

/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextToken?: string;
}

/** Which page of a list is wanted: the first, or the one a token from the page before stands for. */
export interface PageRequest {
  /** 0 stands for the default. @default 100 */
  readonly maxResults?: number;
  readonly nextToken?: string;
}

const RESULTS_DEFAULT = 100;
const RESULTS_MAX = 1000;

/**
 * @throws StatesError `ValidationException` for a page size out of range, `InvalidToken` for a token not
 * ours.
 */
export function pageOf<Item>(items: readonly Item[], request: PageRequest): Page<Item> {
  const { maxResults = 0 } = request;
  if (maxResults > RESULTS_MAX) {
    throw constraintError(`${maxResults}`, 'maxResults', `have value less than or equal to ${RESULTS_MAX}`);
  }
  const start = request.nextToken === undefined ? 0 : positionIn(request.nextToken);
  const end = start + (maxResults > 0 ? maxResults : RESULTS_DEFAULT);
  const page = items.slice(start, end);
  return end < items.length ? { items: page, nextToken: tokenFor(end) } : { items: page };
}

function tokenFor(position: number): string {
  return Buffer.from(`position:${position}`).toString('base64url');
}

function positionIn(token: string): number {
  const position = /^position:(\d+)$/.exec(Buffer.from(token, 'base64url').toString())?.[1];
  if (position === undefined) throw new StatesError('InvalidToken', `Invalid Token: 'Invalid token'`);
  return Number(position);
}
