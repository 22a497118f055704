import { isSource, isTest, lineAt, type RepositoryFile, type Rule, type Violation } from './repository';

/** A pattern that must not occur. */
interface Ban {
  readonly title: string;
  readonly pattern: RegExp;
  readonly message: string;
  /** `code` leaves comments and strings out of the search, `text` searches all of the file. */
  readonly searched: 'code' | 'text';
  isChecked(path: string): boolean;
}

const isProduct = (path: string) => isSource(path) && !isTest(path);
const isEngine = (path: string) => path.startsWith('packages/local/engine/');
/** Where printing is the purpose. */
const PRINTS =
  /^(?:cli|proof\/(?:demo|bench))\/|(?:^|\/)(?:render|main|app)\.[jt]s$|\/render\/|^(?:examples\/[^/]+\/app|functions\/[^/]+\/handler)\.ts$/;
// Put together here, because this file is searched as well.
const LEFTOVERS = ['TO_DO', 'FIX_ME', 'X_XX'].map(word => word.replace('_', ''));
const MACHINE_FOLDERS = ['work', 'root', 'home'];

const BANS: readonly Ban[] = [
  {
    title: 'the engine knows no clock',
    pattern:
      /\bDate\b|\bperformance\b|\bset(?:Timeout|Interval|Immediate)\b|\bqueueMicrotask\b|\bnextTick\b/g,
    message: 'uses a clock or timer; time comes in as an argument',
    searched: 'code',
    isChecked: isEngine,
  },
  {
    title: 'the engine draws no random numbers',
    pattern: /\bMath\.random\b|\brandom(?:UUID|Bytes|Int)\b|\bgetRandomValues\b/g,
    message: 'draws a random number; ids and seeds come in as arguments',
    searched: 'code',
    isChecked: isEngine,
  },
  {
    title: 'no any',
    pattern: /(?<![.\w$])any\b(?!\s*[(:?.])/g,
    message: 'uses the type any; use unknown and narrow it',
    searched: 'code',
    isChecked: isProduct,
  },
  {
    title: 'no non-null assertion',
    pattern: /[\w$)\]]!(?!=)/g,
    message: 'asserts non-null; handle the missing value',
    searched: 'code',
    isChecked: isProduct,
  },
  {
    title: 'no printing outside entry points and renderers',
    pattern: /\bconsole\s*\./g,
    message: 'prints; return what is to be shown',
    searched: 'code',
    isChecked: path => isProduct(path) && !PRINTS.test(path),
  },
  {
    title: 'no test runs alone',
    pattern: /\.only\s*\(|\bf(?:it|describe)\s*\(/g,
    message: 'runs alone and hides the other tests',
    searched: 'code',
    isChecked: path => isSource(path) && isTest(path),
  },
  {
    title: 'tests are written with test',
    pattern: /(?<![.\w$])(?:it|xit|fit)(?=\s*\(|\.(?:each|only|skip|failing|concurrent)\b)/g,
    message: 'is another name for `test`; use `test`',
    searched: 'code',
    isChecked: path => isSource(path) && isTest(path),
  },
  {
    title: 'no leftovers',
    pattern: new RegExp(`\\b(?:${LEFTOVERS.join('|')})\\b`, 'g'),
    message: 'is a note to self; do it, or write down why not',
    searched: 'text',
    isChecked: path => isSource(path) || path.endsWith('.md'),
  },
  {
    title: 'no paths of one machine',
    pattern: new RegExp(`(?<![\\w.})-])/(?:${MACHINE_FOLDERS.join('|')})/`, 'g'),
    message: 'names a path of one machine; make it relative',
    searched: 'text',
    isChecked: () => true,
  },
];

/** One rule per ban. */
export const BANNED_TEXT_RULES: readonly Rule[] = BANS.map(ban => ({
  title: ban.title,
  check: files => files.filter(file => ban.isChecked(file.path)).flatMap(file => occurrences(ban, file)),
}));

function occurrences({ pattern, searched, message }: Ban, file: RepositoryFile): Violation[] {
  return [...file[searched].matchAll(pattern)].map(({ index, 0: found }) => {
    return { path: file.path, line: lineAt(file.text, index), message: `\`${found}\` ${message}` };
  });
}
