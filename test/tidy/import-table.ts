import { importsOf } from './imports';
import { isSource, type RepositoryFile, type Rule, type Violation } from './repository';

/** Who a room may import. Paths are folders (`local/asl/`) or files without extension (`local/index`). */
interface Row {
  /** Files of the room. What the group captures may be used as `$1`. */
  readonly files: RegExp;
  readonly may: readonly string[];
  /** Only with `import type`: ports, which cost nothing at run time. */
  readonly mayAsType?: readonly string[];
  /** Packages, by name or by the beginning of it. */
  readonly packages: readonly string[];
}

const CDK = ['aws-cdk-lib', 'constructs'];
const CONTRACT = 'state-machine/contract/';
/** Any package at all: the room is free in its means, not in what it knows. */
const ANY_PACKAGE = '';

/** First match wins. Folders without a row (test) are free. */
const TABLE: readonly Row[] = [
  { files: /^state-machine\/contract\//, may: [CONTRACT], packages: ['node:crypto'] },
  { files: /^state-machine\//, may: ['state-machine/'], packages: [...CDK, 'jsonata206'] },
  { files: /^functions\/([^/]+)\//, may: ['functions/$1/', CONTRACT], packages: ['@aws-sdk/', 'node:'] },
  {
    files: /^client\//,
    may: ['client/', CONTRACT],
    packages: ['@aws-sdk/client-dynamodb', '@aws-sdk/client-sfn', 'node:'],
  },
  {
    files: /^cli\//,
    may: ['cli/', 'client/', 'program/', CONTRACT],
    packages: ['@aws-sdk/client-dynamodb', '@aws-sdk/client-sfn', 'node:'],
  },
  { files: /^infra\/app\//, may: ['infra/app/', 'infra/index'], packages: [...CDK, 'cdk-nag', 'node:'] },
  { files: /^infra\//, may: ['infra/', 'state-machine/'], packages: [...CDK, 'node:'] },
  // An example is what a user would have: it knows the package by its name, and nothing of the repository.
  { files: /^examples\/([^/]+)\//, may: ['examples/$1/'], packages: [ANY_PACKAGE] },
  { files: /^local\/asl\//, may: ['local/asl/'], packages: ['jsonata', 'jsonata206', 'node:'] },
  { files: /^local\/engine\//, may: ['local/asl/', 'local/engine/'], packages: [] },
  {
    files: /^local\/runtime\//,
    may: ['local/asl/', 'local/engine/', 'local/runtime/'],
    packages: ['node:'],
  },
  {
    files: /^local\/services\/([^/]+)\//,
    may: ['local/asl/', 'local/services/$1/', 'local/services/optimized-result'],
    mayAsType: ['local/runtime/service', 'local/runtime/clock'],
    packages: [ANY_PACKAGE],
  },
  {
    files: /^local\/services\/[^/]+$/,
    may: ['local/asl/', 'local/runtime/', 'local/services/'],
    packages: ['@aws-sdk/'],
  },
  { files: /^local\/assembly\//, may: ['local/asl/', 'local/assembly/'], packages: ['node:'] },
  {
    files: /^local\/state\//,
    may: ['local/asl/', 'local/engine/', 'local/runtime/', 'local/state/'],
    packages: ['classic-level', 'node:'],
  },
  {
    files: /^local\/api\//,
    may: ['local/asl/', 'local/engine/', 'local/runtime/', 'local/services/', 'local/api/'],
    packages: [ANY_PACKAGE],
  },
  { files: /^local\/console\//, may: ['local/api/', 'local/console/'], packages: [ANY_PACKAGE] },
  { files: /^local\/[^/]+$/, may: ['local/'], packages: [ANY_PACKAGE] },
  // How programs begin and end. The rooms that are programs, and only their `main.ts` and options, need it.
  { files: /^program\//, may: ['program/'], packages: [] },
  // How the reference app is synthesized, for those who run it.
  { files: /^app\//, may: ['app/'], packages: ['aws-cdk', 'node:'] },
  {
    files: /^(?:demo|start)\//,
    may: ['$0', 'app/', 'client/index', 'local/index', 'program/', CONTRACT],
    packages: [ANY_PACKAGE],
  },
  // The measuring devices put a runtime together from its parts, so that each case gets just what it asks for.
  {
    files: /^conformance\//,
    may: ['conformance/', 'local/api/', 'local/index', 'local/runtime/', 'local/services/', 'program/'],
    packages: [ANY_PACKAGE],
  },
  // The exploration drives the pure core itself; what Step Functions answers it has by the runtime's own rules.
  {
    files: /^explore\//,
    may: [
      'explore/',
      'app/',
      'local/asl/',
      'local/assembly/load',
      'local/engine/',
      'local/runtime/',
      'program/',
    ],
    packages: ['node:'],
  },
  {
    files: /^bench\//,
    may: [
      'bench/',
      'app/',
      'local/asl/json',
      'local/assembly/load',
      'local/index',
      'local/runtime/',
      'program/',
    ],
    packages: [ANY_PACKAGE],
  },
];

/** Rooms know only the rooms the table lists for them. */
export const IMPORT_RULE: Rule = {
  title: 'imports keep to the import table',
  check: files => files.filter(file => isSource(file.path)).flatMap(checkFile),
};

function checkFile(file: RepositoryFile): Violation[] {
  const row = TABLE.find(({ files }) => files.test(file.path));
  if (row === undefined) {
    const isRoom = /^(?:cli|client|local|infra|program|state-machine|functions)\//.test(file.path);
    return isRoom
      ? [{ path: file.path, line: 1, message: 'is in a room without a row in the import table' }]
      : [];
  }
  const [room = '', group = ''] = row.files.exec(file.path) ?? [];
  const fill = (paths: readonly string[]) => paths.map(path => path.replace('$0', room).replace('$1', group));
  const may = fill(row.may);
  const mayAsType = fill(row.mayAsType ?? []);
  return importsOf(file).flatMap(({ line, specifier, isTypeOnly, target }) => {
    const isAllowed =
      target === undefined
        ? row.packages.some(name => isPackage(specifier, name))
        : leadsInto(target, may) || (isTypeOnly && leadsInto(target, mayAsType));
    if (isAllowed) return [];
    if (target !== undefined && leadsInto(target, mayAsType)) {
      return [
        { path: file.path, line, message: `imports ${specifier}; only \`import type\` is allowed here` },
      ];
    }
    const allowed = [...may, ...mayAsType, ...row.packages.map(name => name || 'packages')].join(', ');
    return [{ path: file.path, line, message: `imports ${specifier}; ${room} may import ${allowed}` }];
  });
}

function leadsInto(target: string, places: readonly string[]): boolean {
  return places.some(place => (place.endsWith('/') ? `${target}/`.startsWith(place) : target === place));
}

function isPackage(specifier: string, name: string): boolean {
  return name === '' || name.endsWith(':') || name.endsWith('/')
    ? specifier.startsWith(name)
    : specifier === name || specifier.startsWith(`${name}/`);
}
