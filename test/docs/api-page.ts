import ts from 'typescript';

/** Each entry of the packages that code imports, with the file that it is built from. */
const ENTRIES = {
  onceflow: 'infra/index.ts',
  'onceflow/client': 'client/index.ts',
  'onceflow/contract': 'state-machine/contract/index.ts',
  '@onceflow/local': 'packages/local/index.ts',
  '@onceflow/local/explore': 'packages/local/explore/explore.ts',
  '@onceflow/local/gherkin': 'packages/local/testing/gherkin.ts',
};

const KINDS: readonly (readonly [flag: ts.SymbolFlags, kind: string])[] = [
  [ts.SymbolFlags.Class, 'class'],
  [ts.SymbolFlags.Interface, 'interface'],
  [ts.SymbolFlags.Function, 'function'],
  [ts.SymbolFlags.Variable, 'constant'],
  [ts.SymbolFlags.TypeAlias, 'type'],
];

/** The tables of docs/reference/api.md: each export of each entry, its kind, and the first sentence of its docstring. */
export function apiTables(): string {
  const options: ts.CompilerOptions = { target: ts.ScriptTarget.ES2022, noLib: true, types: [] };
  const host = ts.createCompilerHost(options);
  // What the packages import from elsewhere has no docstring of ours, and takes long to read.
  host.resolveModuleNameLiterals = (literals, containingFile) =>
    literals.map(({ text }) =>
      text.startsWith('.')
        ? ts.resolveModuleName(text, containingFile, options, host)
        : { resolvedModule: undefined },
    );
  const program = ts.createProgram(Object.values(ENTRIES), options, host);
  const checker = program.getTypeChecker();
  const tables = Object.entries(ENTRIES).map(([entry, file]) => {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    if (!module) throw new Error(`${file} exports nothing`);
    const rows = checker
      .getExportsOfModule(module)
      .map(symbol => rowOf(checker, symbol))
      .toSorted();
    return `## ${entry}\n\n| export | kind | what it is |\n|---|---|---|\n${rows.join('')}`;
  });
  return tables.join('\n');
}

function rowOf(checker: ts.TypeChecker, exported: ts.Symbol): string {
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
  const kind = KINDS.find(([flag]) => symbol.flags & flag)?.[1] ?? 'value';
  const doc = ts.displayPartsToString(symbol.getDocumentationComment(checker)).replaceAll(/\s+/g, ' ');
  const plain = doc.replaceAll(/\{@link (\S+?) ?\}/g, '`$1`').replaceAll('|', '\\|');
  const [first = plain] = /^.*?[.?](?= |$)/.exec(plain) ?? [];
  return `| \`${exported.name}\` | ${kind} | ${first} |\n`;
}
