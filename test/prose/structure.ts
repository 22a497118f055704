import type { Page } from '../docs/page';

/** Commands that the README must show. */
const COMMANDS = ['npm ci && npm run demo', 'npm ci && npm test'];
/** The beginnings of the headings of a decision. A replaced decision has none, only a line that links to the later one. */
const DECISION_PARTS = ['## Context', '## Decision', '## Consequences'];
const DECISION_LINES_MAX = 60;

/**
 * The faults of the pages besides their sentences, one message for each; none is the good case. Such faults are a
 * README without its two commands, an image that no page shows, a page whose first paragraph does not say when you need
 * it, and a decision in another form than {@link DECISION_PARTS}.
 *
 * @param images names of the files in `docs/images`
 */
export function structureBreaches(
  pages: readonly Pick<Page, 'path' | 'text'>[],
  images: readonly string[],
): string[] {
  const readme = pages.find(({ path }) => path === 'README.md')?.text ?? '';
  const missing = COMMANDS.filter(command => !readme.includes(command));
  const unused = images.filter(
    image =>
      !pages.some(({ text }) => text.includes(`docs/images/${image}`) || text.includes(`../images/${image}`)),
  );
  const silent = pages.filter(({ path, text }) => hasIntroduction(path) && !addressesItsReader(text));
  const decisions = pages.filter(({ path }) => /^docs\/decisions\/\d/.test(path));
  return [
    ...decisions.flatMap(({ path, text }) => decisionBreaches(text).map(breach => `${path}:1: ${breach}`)),
    ...missing.map(command => `README.md:1: it does not show \`${command}\``),
    ...unused.map(image => `docs/images/${image}:1: no page shows it: delete it`),
    ...silent.map(({ path }) => `${path}:1: the first paragraph must say what this is, and when you need it`),
  ];
}

/** Whether a page is read from its beginning: an index, a glossary of decisions and the changelog are not. */
function hasIntroduction(path: string): boolean {
  return (
    /^(?:docs\/.+|packages\/.+|examples\/.+\/)[^/]*\.md$/.test(path) &&
    !/(?:README|CHANGELOG)\.md$/.test(path) &&
    !path.startsWith('docs/decisions/')
  );
}

function addressesItsReader(text: string): boolean {
  const [, ...lines] = text.split('\n');
  const end = lines.findIndex(line => /^(?:#|```|\||<!-- file)/.test(line));
  const first = lines.slice(0, end < 0 ? undefined : end).join(' ');
  return /\b(?:you|your)\b/i.test(first) || /(?:^|[.] )(?:Use|Read|Run|Open|Find|Look|Install)\b/.test(first);
}

function decisionBreaches(text: string): string[] {
  const lines = text.trimEnd().split('\n');
  if (lines.length === 3 && /^Status: replaced by \[decision \d+\]/.test(lines[2] ?? '')) return [];
  const missing = DECISION_PARTS.filter(part => !lines.some(line => line.startsWith(part)));
  const long = lines.length > DECISION_LINES_MAX;
  return [
    ...missing.map(part => `it has no heading \`${part}\``),
    ...(long ? [`${lines.length} lines: at most ${DECISION_LINES_MAX}, shorten it`] : []),
  ];
}
