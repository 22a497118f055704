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

/** How a list is read. */
export interface PageOrder<Item> {
  /** From the end of the list. What is appended meanwhile moves no page. @default false */
  readonly isNewestFirst?: boolean;
  /** What the pages are made of. @default - everything */
  readonly isWanted?: (item: Item) => boolean;
}

const RESULTS_DEFAULT = 100;
const RESULTS_MAX = 1000;

/**
 * A page of a list that grows at its end.
 *
 * @throws StatesError `ValidationException` for a page size out of range, `InvalidToken` for a token not
 * ours.
 */
export function pageOf<Item>(
  list: readonly Item[],
  request: PageRequest,
  { isNewestFirst = false, isWanted = () => true }: PageOrder<Item> = {},
): Page<Item> {
  const { maxResults = 0 } = request;
  if (maxResults > RESULTS_MAX) {
    throw constraintError(`${maxResults}`, 'maxResults', `have value less than or equal to ${RESULTS_MAX}`);
  }
  const size = maxResults > 0 ? maxResults : RESULTS_DEFAULT;
  const step = isNewestFirst ? -1 : 1;
  const first = isNewestFirst ? list.length - 1 : 0;
  const items: Item[] = [];
  for (let at = request.nextToken === undefined ? first : positionIn(request.nextToken); ; at += step) {
    const item = list[at];
    if (item === undefined) return { items };
    if (!isWanted(item)) continue;
    if (items.length === size) return { items, nextToken: tokenFor(at) };
    items.push(item);
  }
}

function tokenFor(position: number): string {
  return Buffer.from(`position:${position}`).toString('base64url');
}

function positionIn(token: string): number {
  const position = /^position:(\d+)$/.exec(Buffer.from(token, 'base64url').toString())?.[1];
  if (position === undefined) throw new StatesError('InvalidToken', `Invalid Token: 'Invalid token'`);
  return Number(position);
}
