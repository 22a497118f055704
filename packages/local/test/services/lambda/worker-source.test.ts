import path from 'node:path';
import ts from 'typescript';
import { WORKER_SOURCE } from '../../../services/lambda/worker/worker-source';

const FILE = path.join(__dirname, 'worker-source.js');
const OPTIONS: ts.CompilerOptions = {
  allowJs: true,
  checkJs: true,
  noLib: true,
  noUnusedLocals: true,
  allowUnreachableCode: false,
  target: ts.ScriptTarget.ES2022,
  types: [],
};
/** A name that is not declared, declared twice, or not used; unreachable code. */
const CODES = new Set([2304, 2451, 2552, 6133, 6192, 7027]);

function problems(): readonly string[] {
  const source = ts.createSourceFile(FILE, WORKER_SOURCE, ts.ScriptTarget.ES2022, true);
  const host = { ...ts.createCompilerHost(OPTIONS), getSourceFile: () => source };
  const program = ts.createProgram([FILE], OPTIONS, host);
  const found = program.getSemanticDiagnostics(source).filter(({ code }) => CODES.has(code));
  const named = found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
  const isGlobal = (message: string) => {
    const [, name = ''] = /^Cannot find name '(\w+)'/.exec(message) ?? [];
    return name === 'require' || name in globalThis;
  };
  const unparsed = program.getSyntacticDiagnostics(source).map(({ messageText }) => String(messageText));
  return [...unparsed, ...named.filter(message => !isGlobal(message))];
}

test('The program of a function thread parses, and each of its names is declared once and used.', () => {
  expect(problems()).toEqual([]);
});
