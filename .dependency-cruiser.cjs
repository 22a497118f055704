// The rules of `npm run lint` about imports.
const { compilerOptions } = require('./tsconfig.json');
const { ANY_PACKAGE, TABLE } = require('./test/tidy/import-table.cjs');

const escaped = text => text.replace(/[.]/g, '\\.');

const pathPattern = path => (path.endsWith('/') ? `^${path}` : `^${escaped(path)}(?:/index)?\\.[jt]sx?$`);

// The names of our own packages lead to the files that tsconfig.json says.
function packagePatterns(name) {
  const own = Object.entries(compilerOptions.paths).filter(([entry]) => `${entry}/`.startsWith(`${name}/`));
  const files = own.map(([, [file]]) => `^${escaped(file.replace('./', ''))}$`);
  return name.startsWith('node:')
    ? [`^${name.slice('node:'.length)}(?:/|$)`]
    : [...files, `(?:^|/)node_modules/${name.replace(/\/?$/, '/')}`];
}

// Dependency-cruiser has no "first match wins": each row leaves out the files of the rows before it.
function rowRules({ files, may, mayAsType = [], packages }, index) {
  const from = { path: files, pathNot: TABLE.slice(0, index).map(row => row.files) };
  const anyPackage = packages.includes(ANY_PACKAGE);
  const allowed = [
    ...may.map(pathPattern),
    ...packages.flatMap(name => (name === ANY_PACKAGE ? ['(?:^|/)node_modules/'] : packagePatterns(name))),
  ];
  const asType = mayAsType.map(pathPattern);
  const dependencyTypesNot = [
    ...(anyPackage ? ['aliased'] : []),
    ...(anyPackage || packages.includes('node:') ? ['core'] : []),
  ];
  const comment = `may import ${[...may, ...packages].join(', ')}; as types ${mayAsType.join(', ')}`;
  const rules = [
    { name: `table: ${files}`, comment, from, to: { pathNot: [...allowed, ...asType], dependencyTypesNot } },
  ];
  if (asType.length > 0) {
    const to = { path: asType, pathNot: allowed, dependencyTypesNot: ['type-only', 'type-import'] };
    rules.push({ name: `table, only import type: ${files}`, comment, from, to });
  }
  return rules;
}

const IS_SUITE = '\\.test\\.ts$';
const IS_SYSTEM_SUITE = '\\.system\\.test\\.ts$';
const STARTS_PROGRAMS = [
  '^test/cli/dev/started\\.ts$',
  '^test/cli/run-program\\.ts$',
  '^test/evaluators/evaluators\\.ts$',
  '^test/package/project\\.ts$',
  '^test/support/powertools\\.ts$',
];
// These ask git which files there are, and start nothing else.
const ASKS_GIT = ['^test/docs/page\\.ts$', '^test/tidy/repository\\.ts$'];
// As jest.config.js has them.
const IS_SLOW_SUITE = '\\.(?:system|scenario)\\.test\\.ts$|^(?:examples|docs|test/scenarios|test/proof)/';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...TABLE.flatMap(rowRules),
    {
      name: 'table: no row',
      comment: 'Add a row for this module to the table in test/tidy/import-table.cjs.',
      from: {
        path: '^(?:cli|client|packages|proof|infra|state-machine|functions)/',
        pathNot: TABLE.map(({ files }) => files),
      },
      to: {},
    },
    {
      name: 'packages by name',
      comment: 'A program outside a package imports the package by its name.',
      from: { path: '^(?:cli|proof|examples|docs)/' },
      to: {
        path: ['@onceflow/local', '@onceflow/console'].flatMap(packagePatterns),
        dependencyTypesNot: ['aliased'],
      },
    },
    {
      name: 'no import circles',
      comment: 'Types count too. Move what both files need to a third file.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'names say what is inside',
      comment: 'A name that says nothing collects everything.',
      from: { pathNot: '(?:^|/)node_modules/' },
      to: { path: '(?:^|/)(?:utils?|helpers?|common|misc)(?:\\.|/)', pathNot: '(?:^|/)node_modules/' },
    },
    {
      name: 'only system suites start programs',
      comment: 'Call the suite `.system.test.ts`; a helper that starts programs belongs in STARTS_PROGRAMS.',
      from: { path: ['(?:^|/)test/', IS_SUITE], pathNot: [IS_SYSTEM_SUITE, ...STARTS_PROGRAMS, ...ASKS_GIT] },
      to: { path: '^child_process$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'only system suites reach what starts programs',
      comment: 'Call the suite `.system.test.ts`, so that the unit tests stay fast.',
      from: { path: IS_SUITE, pathNot: IS_SYSTEM_SUITE },
      to: { path: STARTS_PROGRAMS, reachable: true },
    },
    {
      name: 'scenario suites open workflows',
      comment:
        'A suite that opens a whole workflow is called `.scenario.test.ts`: that takes a second and more.',
      from: { path: IS_SUITE, pathNot: IS_SLOW_SUITE },
      to: { path: '^test/support/world\\.ts$', reachable: true },
    },
  ].map(rule => ({ severity: 'error', ...rule })),
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(?:^|/)(?:dist|cdk\\.out|coverage|\\.onceflow)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    // Imports of types count as well.
    tsPreCompilationDeps: true,
    skipAnalysisNotInRules: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'require', 'node', 'default'],
    },
  },
};
