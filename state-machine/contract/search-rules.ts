import { all, before, known } from './condition';
import { OTHERWISE, type Rule } from './judgement';

// By which rules a search for executions that ended without an event goes on: a page after another, in bounds.

/** What a search does next. */
export type SearchVerdict = 'recover' | 'readOn' | 'end';

/** So many pages are read at most: the history of a search has room for them. */
const PAGES_MAX = 1500;
/** So many pages of running executions are read: beside those of ended ones, they fit into the history of a search. */
const RUNNING_PAGES_MAX = 400;

const SEARCH_RULES: readonly Rule<SearchVerdict>[] = [
  { name: 'Found on this page', when: before(0, known('found', '$count($found)')), verdict: 'recover' },
  {
    name: 'More to read',
    when: all(before(known('at'), known('searches', '$count($searches)')), before(known('pages'), PAGES_MAX)),
    verdict: 'readOn',
  },
  { name: 'Otherwise', when: OTHERWISE, verdict: 'end' },
];

/** The rules behind each page of executions that ended; the last one always holds. */
export function searchRules(): readonly Rule<SearchVerdict>[] {
  return SEARCH_RULES;
}

const RUNNING_RULES: readonly Rule<Exclude<SearchVerdict, 'recover'>>[] = [
  {
    name: 'More to read',
    when: all(
      before(known('runningAt'), known('running', '$count($running)')),
      before(known('runningPages'), RUNNING_PAGES_MAX),
    ),
    verdict: 'readOn',
  },
  { name: 'Otherwise', when: OTHERWISE, verdict: 'end' },
];

/** The rules behind each page of executions that run; the last one always holds. */
export function runningRules(): readonly Rule<Exclude<SearchVerdict, 'recover'>>[] {
  return RUNNING_RULES;
}
