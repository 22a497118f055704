import { isSource, lineAt, type RepositoryFile, type Rule } from './repository';

// Put together here, because this file is searched as well.
const NOTES = ['TO_DO', 'FIX_ME', 'X_XX'].map(word => word.replace('_', ''));
const MACHINE_FOLDERS = ['work', 'root', 'home'];

/** They read what a program of this repository, or CDK, has written. */
const OWN_FILES =
  /^cli\/(?:app\/synthesize|dev\/server|verify\/deployment|version)|^packages\/local\/(?:state\/|services\/lambda\/(?:programs\/|python-process))/;

/** By hand, because documents are searched as well, which Biome does not read. */
export const BANNED_TEXT_RULES: readonly Rule[] = [
  bannedText({
    title: 'no leftovers',
    pattern: new RegExp(`\\b(?:${NOTES.join('|')})\\b`, 'g'),
    message: 'is a note to self; do it, or write down why not',
    isChecked: path => isSource(path) || path.endsWith('.md'),
  }),
  bannedText({
    title: 'no paths of one machine',
    pattern: new RegExp(`(?<![\\w.})-])/(?:${MACHINE_FOLDERS.join('|')})/`, 'g'),
    message: 'names a path of one machine; make it relative',
    isChecked: () => true,
  }),
  bannedText({
    title: 'no policy beside a role that may not be changed',
    pattern: /new (?:Cfn)?(?:Managed|Role)?Policy\(/g,
    message:
      'goes past Role.customizeRoles and `mutable: false`; use grantExecutions of infra/cdk/own-executions.ts',
    isChecked: path => /^(?:infra|state-machine)\//.test(path) && path !== 'infra/cdk/own-executions.ts',
  }),
  bannedText({
    title: 'no input that is read by a rule of its own',
    pattern: /\b(?:readFile(?:Sync)?|createReadStream)\(/g,
    message:
      'replaces what is not UTF-8, and keeps a byte order mark; use cli/input-file.ts, or assembly/text-file.ts of the local runtime',
    isChecked: path =>
      /^(?:cli|packages\/local)\//.test(path) && !path.includes('/test/') && !OWN_FILES.test(path),
  }),
  bannedText({
    title: 'no rule with a pattern that is not measured',
    pattern: /^(?! *\*).*new (?:Cfn)?Rule\([^;]*?eventPattern/gm,
    message: 'can have a pattern that EventBridge rejects; use EventRule of infra/cdk/event-rule.ts',
    isChecked: path => path.startsWith('infra/'),
  }),
  bannedText({
    title: 'no rule of a state machine that is not a row',
    pattern: /import \{[^}]*\bwhen\b[^}]*\} from '[./]*\/choice'|\bCondition\.jsonata\(/g,
    message:
      'writes a rule as text, by which nothing else can judge; make it a row of state-machine/contract, and use `decide`',
    // The front door reads requests, which no other code judges.
    isChecked: path =>
      /^(?:infra|state-machine)\/(?!front-door\/)/.test(path) && path !== 'state-machine/choice.ts',
  }),
];

interface Ban {
  readonly title: string;
  readonly pattern: RegExp;
  readonly message: string;
  isChecked(path: string): boolean;
}

function bannedText({ title, pattern, message, isChecked }: Ban): Rule {
  const occurrences = ({ path, text }: RepositoryFile) =>
    [...text.matchAll(pattern)].map(({ index, 0: found }) => {
      return { path, line: lineAt(text, index), message: `\`${found}\` ${message}` };
    });
  return { title, check: files => files.filter(({ path }) => isChecked(path)).flatMap(occurrences) };
}
