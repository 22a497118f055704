import { importsOf } from './imports';
import { isSource, type RepositoryFile, type Rule, type Violation } from './repository';

/**
 * Files import each other in one direction, types included: what two of them need stands in a third.
 *
 * `stillOpen` names one file of each circle that is still to be opened; one that has been has to leave the list.
 */
export function circleRule(stillOpen: readonly string[]): Rule {
  return {
    title: 'no import circles',
    check: files => {
      const imports = importGraph(files);
      const circles = circlesIn(imports);
      const opened = stillOpen.filter(path => !circles.some(circle => circle.includes(path)));
      return [
        ...circles
          .filter(circle => !circle.some(path => stillOpen.includes(path)))
          .map(circle => violationFor(circle, imports)),
        ...opened.map(path => ({
          path,
          line: 1,
          message: 'is in no import circle any more; remove it from the list in rules.ts',
        })),
      ];
    },
  };
}

/** What each file imports of the files given, by path. */
type ImportGraph = ReadonlyMap<string, readonly string[]>;

function importGraph(files: readonly RepositoryFile[]): ImportGraph {
  const sources = files.filter(({ path }) => isSource(path));
  const entries = packageEntries(files);
  const byName = new Map<string, string>();
  for (const { path } of sources) {
    const name = path.replace(/\.[cm]?[jt]sx?$/, '');
    byName.set(name, path);
    if (name.endsWith('/index')) byName.set(name.slice(0, -'/index'.length), path);
  }
  const targetsOf = (file: RepositoryFile): string[] =>
    importsOf(file).flatMap(({ specifier, target }) => {
      const name = target ?? entries.get(specifier);
      return (name !== undefined && byName.get(name)) || [];
    });
  return new Map(sources.map(file => [file.path, targetsOf(file)]));
}

/** The packages' entries by name, as the `paths` of tsconfig.json have them: files without extension. */
function packageEntries(files: readonly RepositoryFile[]): ReadonlyMap<string, string> {
  const settings = files.find(({ path }) => path === 'tsconfig.json')?.text ?? '{}';
  const { compilerOptions } = JSON.parse(settings) as {
    readonly compilerOptions?: { readonly paths?: Readonly<Record<string, readonly string[]>> };
  };
  const paths = Object.entries(compilerOptions?.paths ?? {});
  return new Map(paths.map(([name, [file = '']]) => [name, file.replace(/^\.\/|\.ts$/g, '')]));
}

/**
 * The strongly connected components of more than one file, and files that import themselves (Tarjan's algorithm). Each
 * has its files in alphabetical order.
 */
function circlesIn(graph: ImportGraph): string[][] {
  const circles: string[][] = [];
  /** For each file that was visited: when, and the earliest file on the stack that it leads back to. */
  const visited = new Map<string, { readonly order: number; earliest: number }>();
  const stack: string[] = [];
  const visit = (path: string): { readonly order: number; earliest: number } => {
    const own = { order: visited.size, earliest: visited.size };
    visited.set(path, own);
    stack.push(path);
    for (const target of graph.get(path) ?? []) {
      const known = visited.get(target);
      if (known === undefined) own.earliest = Math.min(own.earliest, visit(target).earliest);
      else if (stack.includes(target)) own.earliest = Math.min(own.earliest, known.order);
    }
    if (own.earliest === own.order) {
      const component = stack.splice(stack.indexOf(path));
      if (component.length > 1 || graph.get(path)?.includes(path)) circles.push(component.sort());
    }
    return own;
  };
  for (const path of graph.keys()) if (!visited.has(path)) visit(path);
  return circles;
}

/** Shows one way around, from the first file of the circle back to it. */
function violationFor(circle: readonly string[], graph: ImportGraph): Violation {
  const [first = ''] = circle;
  const others = circle.length > 1 ? ` (${circle.length} files import each other)` : '';
  const way = shortestWayAround(first, graph);
  return { path: first, line: 1, message: `is in an import circle: ${way.join(' -> ')}${others}` };
}

function shortestWayAround(start: string, graph: ImportGraph): string[] {
  const ways: string[][] = [[start]];
  const seen = new Set<string>();
  for (let way = ways.shift(); way; way = ways.shift()) {
    for (const next of graph.get(way.at(-1) ?? '') ?? []) {
      if (next === start) return [...way, next];
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return [start];
}
