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
  const checker = checkerOf();
  const tables = entriesOf(checker).map(([entry, symbols]) => {
    const rows = symbols.map(({ name, symbol }) => rowOf(checker, name, symbol)).toSorted();
    return `## ${entry}\n\n| export | kind | what it is |\n|---|---|---|\n${rows.join('')}`;
  });
  return tables.join('\n');
}

/** The exports without a docstring, or without an example in it. */
export function undocumented(): string[] {
  const checker = checkerOf();
  return entriesOf(checker).flatMap(([entry, symbols]) =>
    symbols
      .filter(
        ({ symbol }) =>
          symbol.getDocumentationComment(checker).length === 0 ||
          !symbol.getJsDocTags(checker).some(({ name }) => name === 'example'),
      )
      .map(({ name }) => `${entry}: ${name}`),
  );
}

interface Exported {
  readonly name: string;
  readonly symbol: ts.Symbol;
}

let known: ts.Program | undefined;

function checkerOf(): ts.TypeChecker {
  known ??= program();
  return known.getTypeChecker();
}

function program(): ts.Program {
  const options: ts.CompilerOptions = { target: ts.ScriptTarget.ES2022, noLib: true, types: [] };
  const host = ts.createCompilerHost(options);
  // What the packages import from elsewhere has no docstring of ours, and takes long to read.
  host.resolveModuleNameLiterals = (literals, containingFile) =>
    literals.map(({ text }) =>
      text.startsWith('.')
        ? ts.resolveModuleName(text, containingFile, options, host)
        : { resolvedModule: undefined },
    );
  return ts.createProgram(Object.values(ENTRIES), options, host);
}

function entriesOf(checker: ts.TypeChecker): [entry: string, symbols: Exported[]][] {
  return Object.entries(ENTRIES).map(([entry, file]) => {
    const source = known?.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    if (!module) throw new Error(`${file} exports nothing`);
    const symbols = checker.getExportsOfModule(module).map(exported => ({
      name: exported.name,
      symbol: exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported,
    }));
    return [entry, symbols];
  });
}

function rowOf(checker: ts.TypeChecker, name: string, symbol: ts.Symbol): string {
  const kind = KINDS.find(([flag]) => symbol.flags & flag)?.[1] ?? 'value';
  const doc = ts.displayPartsToString(symbol.getDocumentationComment(checker)).replaceAll(/\s+/g, ' ');
  const plain = doc.replaceAll(/\{@link (\S+?) ?\}/g, '`$1`').replaceAll('|', '\\|');
  const [first = plain] = /^.*?[.?](?= |$)/.exec(plain) ?? [];
  return `| \`${name}\` | ${kind} | ${first} |\n`;
}
