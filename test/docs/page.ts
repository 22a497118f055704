import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The repository's directory. */
export const ROOT = path.join(__dirname, '../..');

/** Where a link leads from a place where no clone is. */
export const REPOSITORY_URL = 'https://github.com/onceflow/onceflow/blob/main/';

/** A link of a page. */
export interface Link {
  readonly line: number;
  readonly text: string;
  readonly target: string;
}

/** A fenced block of a page. */
export interface Block {
  /** Line of the opening fence, from 1 on. */
  readonly line: number;
  readonly language: string;
  readonly lines: readonly string[];
  /** The file that the block shows, as `path` or `path#region`, where the page names one above it. */
  readonly source: string | undefined;
}

/** A Markdown file of the repository. */
export interface Page {
  /** Relative to the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
  /** Titles and headings, without their marks. */
  readonly headings: readonly string[];
  readonly links: readonly Link[];
  readonly blocks: readonly Block[];
}

/** Every Markdown file that is tracked or would be, sorted by path. */
export function readPages(): Page[] {
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '-z', '*.md'],
    {
      cwd: ROOT,
    },
  );
  const paths = [...new Set(listed.toString('utf8').split('\0'))].filter(name => name !== '');
  return paths.sort().flatMap(name => {
    const text = readIfThere(name);
    return text === undefined ? [] : [parsePage(name, text)];
  });
}

/** The text of a file of the repository, or undefined where there is none. */
export function readIfThere(name: string): string | undefined {
  try {
    return readFileSync(path.join(ROOT, name), 'utf8');
  } catch {
    return undefined;
  }
}

/** Reads a page's headings, links and blocks. What stands within a block is neither. */
export function parsePage(name: string, text: string): Page {
  const headings: string[] = [];
  const links: Link[] = [];
  const blocks: Block[] = [];
  const lines = text.split('\n');
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const fence = /^(\s*)(`{3,})(\S*)/.exec(line);
    if (fence) {
      const end = lines.findIndex((other, at) => at > index && other.trim() === fence[2]);
      blocks.push({
        line: index + 1,
        language: fence[3] ?? '',
        lines: lines.slice(index + 1, end),
        source: SOURCE.exec(lines[index - 1] ?? '')?.[1],
      });
      index = end === -1 ? lines.length : end;
      continue;
    }
    const heading = /^#{1,6} (.+)$/.exec(line)?.[1];
    if (heading !== undefined) headings.push(heading);
    const linked = line.replace(/`[^`]*`/g, code => code.replace(/[[\]()]/g, ' '));
    for (const [, label = '', target = ''] of linked.matchAll(
      /\[((?:[^[\]]|!\[[^\]]*\])*)\]\(([^)\s]+)\)/g,
    )) {
      links.push({ line: index + 1, text: label, target });
    }
  }
  return { path: name, text, headings, links, blocks };
}

/** The line above a block that names the file it shows. */
const SOURCE = /^<!-- file: (\S+) -->$/;

/** The anchors of a page's headings, as GitHub makes them. */
export function anchorsOf({ headings }: Page): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const heading of headings) {
    const anchor = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count += 1) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}

/** The file and the anchor in the repository that a link leads to; undefined for one that leads elsewhere. */
export function targetOf(
  page: Page,
  { target }: Link,
): { readonly path: string; readonly anchor: string } | undefined {
  const url = [REPOSITORY_URL, REPOSITORY_URL.replace('/blob/', '/tree/')].find(prefix =>
    target.startsWith(prefix),
  );
  if (url === undefined && /^[a-z]+:/.test(target)) return undefined;
  const [file = '', anchor = ''] = (url === undefined ? target : target.slice(url.length)).split('#');
  if (file === '' && url === undefined) return { path: page.path, anchor };
  const folder = url === undefined ? path.posix.dirname(page.path) : '.';
  return { path: path.posix.join(folder, decodeURIComponent(file)), anchor };
}
