/**
 * Who may import whom, for `.dependency-cruiser.cjs`.
 *
 * A path is a folder (`packages/local/engine/`) or a file without its extension (`packages/local/index`).
 *
 * @typedef {object} Row
 * @property {string} files A regular expression. The text of its first group can be used as `$1`.
 * @property {readonly string[]} may
 * @property {readonly string[]} [mayAsType] Only with `import type`: ports, which cost nothing at run time.
 * @property {readonly string[]} packages Names, scopes (`@aws-sdk/`), `node:`, or ANY_PACKAGE.
 */

const { ANY_PACKAGE, CORE, LOCAL } = require('./import-table-local.cjs');

const CDK = ['aws-cdk-lib', 'constructs'];
const CONTRACT = 'state-machine/contract/';
/** How messages are worded, and where they lead. */
const WORDS = 'state-machine/words/';
/** What the programs of `proof/` share with the command line, and how the reference app is synthesized. */
const PROGRAM = ['cli/program/', 'cli/app/synthesize', `${WORDS}nearest-name`];
/** The floors of the command line, the lowest first: rooms with their packages. A room knows those below its floor. */
const CLI_FLOORS = [
  {
    'program/': [],
    arns: [],
    concurrency: [],
    'definition/': [],
    grouped: [],
    'input-file': [],
    text: [],
    version: [],
  },
  {
    'app/': ['@onceflow/console', '@onceflow/local', 'onceflow'],
    'aws/': ['@aws-sdk/'],
    terminal: [],
    'time-range': [],
  },
  {
    'dev/': ['@onceflow/console', '@onceflow/local'],
    'key/': ['@aws-sdk/client-dynamodb', '@aws-sdk/client-sfn', 'jsonata'],
    layout: [],
    'validate/': ['@aws-sdk/client-sfn', '@onceflow/local'],
  },
  {
    'actions/': ['@aws-sdk/client-sfn', '@onceflow/local'],
    // The types of the lines of health, which the page and the command share.
    'repair/': ['@aws-sdk/', '@onceflow/console'],
    'replay/': ['@onceflow/local'],
    'timeline/': ['@aws-sdk/client-sfn'],
    'verify/': [...CDK, '@aws-sdk/', '@onceflow/local', 'onceflow'],
  },
  { 'console/': ['@aws-sdk/client-sfn', '@onceflow/console'] },
  { 'commands/': ['@aws-sdk/client-sqs', '@onceflow/console', 'onceflow'] },
  { main: [] },
];

function roomsBelow(floor) {
  return CLI_FLOORS.slice(0, floor).flatMap(rooms => Object.keys(rooms).map(room => `cli/${room}`));
}

/** The rooms of the exploration, each of which knows the ones before it. */
const EXPLORATION = ['model', 'transition', 'invariants', 'search'].map(room => `proof/explore/${room}/`);

/** @type {readonly Row[]} The first match wins. Folders without a row (test) are free. */
const TABLE = [
  { files: '^state-machine/words/', may: [WORDS], packages: [] },
  { files: '^state-machine/contract/', may: [CONTRACT, WORDS], packages: ['node:crypto'] },
  // The facts about JSONata's functions belong to the language: the data, and nothing that runs.
  {
    files: '^state-machine/expression/(?:reads|user-expression)',
    may: ['state-machine/', 'packages/local/language/jsonata/known-functions'],
    packages: [],
  },
  { files: '^state-machine/', may: ['state-machine/'], packages: [...CDK, 'jsonata206'] },
  { files: '^functions/([^/]+)/', may: ['functions/$1/', CONTRACT], packages: ['@aws-sdk/', 'node:'] },
  {
    files: '^client/',
    may: ['client/', CONTRACT],
    packages: ['@aws-sdk/client-dynamodb', '@aws-sdk/client-sfn', 'node:'],
  },
  // How programs begin and end, here and in `proof/`.
  { files: '^cli/program/', may: ['cli/program/', `${WORDS}nearest-name`], packages: ['node:util'] },
  // CloudFormation's YAML is read in one place.
  {
    files: '^cli/app/read-document',
    may: ['cli/program/', 'packages/local/assembly/read-document'],
    packages: [],
  },
  // Inputs are read by one rule.
  {
    files: '^cli/input-file',
    may: ['cli/program/', 'packages/local/assembly/text-file', 'packages/local/json/duplicate-member'],
    packages: [],
  },
  ...CLI_FLOORS.flatMap((floor, index) =>
    Object.entries(floor).map(([room, packages]) => ({
      files: `^cli/${room}`,
      may: [`cli/${room}`, ...roomsBelow(index), 'client/', CONTRACT, WORDS],
      packages: [...packages, 'node:'],
    })),
  ),
  { files: '^infra/app/', may: ['infra/app/', 'infra/index'], packages: [...CDK, 'cdk-nag', 'node:'] },
  { files: '^infra/cdk/bundled-function', may: [], packages: ['esbuild', 'node:'] },
  {
    files: '^infra/cdk/',
    may: ['infra/cdk/', 'state-machine/'],
    packages: CDK,
  },
  {
    files: '^infra/nested/',
    may: ['infra/cdk/', 'infra/nested/', 'state-machine/'],
    packages: CDK,
  },
  {
    files: '^infra/validation/',
    may: ['infra/cdk/', 'infra/nested/', 'infra/recovery', 'infra/validation/', 'state-machine/'],
    mayAsType: ['infra/idempotent-fragment-props', 'infra/idempotent-workflow-props'],
    packages: CDK,
  },
  {
    files: '^infra/metrics/',
    may: ['infra/metrics/', 'infra/nested/', 'state-machine/'],
    mayAsType: ['infra/idempotent-workflow-props', 'infra/sources/workflow-source'],
    packages: CDK,
  },
  { files: '^infra/', may: ['infra/', 'state-machine/'], packages: [...CDK, 'node:'] },
  // An example is what a user would have: it knows the package by its name, and of the repository how examples run.
  {
    files: '^examples/([^/]+)/',
    may: ['examples/$1/', 'examples/findings', 'examples/fixture'],
    packages: [ANY_PACKAGE],
  },
  { files: '^examples/(?:findings|fixture)', may: [], packages: [ANY_PACKAGE] },
  ...LOCAL,
  // The page runs in a browser: it knows the data that it gets, and nothing of the sender. It reads a history as the
  // replay does and a definition as the runtime does, and writes times as the command line does.
  {
    files: '^packages/console/page/',
    may: [
      'packages/console/page/',
      'packages/console/actions',
      'packages/console/views',
      'packages/local/language/asl/raw',
      'packages/local/history/index',
      'packages/local/json/json',
      'state-machine/contract/time',
    ],
    packages: ['@preact/signals', 'preact'],
  },
  { files: '^packages/console/test/', may: ['packages/console/'], packages: [ANY_PACKAGE] },
  { files: '^packages/console/[^/]+$', may: ['packages/console/'], packages: ['esbuild', 'node:'] },
  // How the packages are built.
  {
    files: '^packages/[^/]+$',
    may: ['infra/cdk/bundled-function', 'packages/console/build-page'],
    packages: ['esbuild', 'node:'],
  },
  // Reads the reviewed definition alone, and places its states as the console does.
  {
    files: '^proof/diagram/',
    may: [
      'proof/diagram/',
      'cli/program/',
      `${CONTRACT}state-names`,
      'packages/console/page/graph/',
      'packages/console/page/history/',
    ],
    packages: ['@onceflow/console', 'node:'],
  },
  // The console's axis and colours, for documents that the demo and the exploration write.
  {
    files: '^proof/lanes/',
    may: ['proof/lanes/', 'packages/console/page/text', 'packages/console/page/views/axis'],
    packages: ['@onceflow/console', 'node:'],
  },
  {
    files: '^proof/demo/',
    may: [
      'proof/demo/',
      ...PROGRAM,
      'cli/console/stack-page',
      'cli/text',
      'client/index',
      CONTRACT,
      'packages/console/page/text',
      'packages/local/json/syntax',
      'proof/lanes/',
    ],
    packages: [ANY_PACKAGE],
  },
  // The measuring devices put a runtime together from its parts, so that each case gets just what it asks for.
  {
    files: '^proof/conformance/',
    may: [
      'proof/conformance/',
      ...PROGRAM,
      'packages/local/api/',
      'packages/local/json/',
      'packages/local/runtime/',
      'packages/local/services/',
    ],
    packages: [ANY_PACKAGE],
  },
  // The exploration drives the pure core itself; what Step Functions answers it has by the runtime's own rules. Each of
  // its rooms knows the ones before it: a state of the model, what can happen next, what must hold, the search.
  {
    files: '^proof/explore/definition-file\\b',
    may: [...EXPLORATION, ...CORE, 'infra/template/exported-definition', `${WORDS}describe-value`],
    packages: ['node:'],
  },
  ...EXPLORATION.map((room, index) => ({
    files: `^${room}`,
    // What a definition promises stands in its settings; the rest of the contract is what is explored. The instants at
    // which a dispatcher decides otherwise are among those that time jumps to.
    may: [
      ...EXPLORATION.slice(0, index + 1),
      ...CORE,
      `${CONTRACT}deployed-settings`,
      `${CONTRACT}dispatch-rules`,
    ],
    packages: ['node:'],
  })),
  // The queue's two functions, as they are deployed and changed.
  {
    files: '^proof/explore/queue/',
    may: ['proof/explore/queue/', 'proof/explore/variants/table', 'functions/', CONTRACT, ...CORE],
    packages: ['esbuild', 'node:'],
  },
  // The app that the variants are synthesized from: a user of the constructs, and no part of the exploration.
  {
    files: '^proof/explore/variants/(?:app|stacks)\\b',
    may: ['infra/index', 'infra/sources/http-source', 'proof/explore/variants/'],
    packages: CDK,
  },
  // A mutant changes rows of the rules, so it knows them. The rooms above, which judge what it does, do not.
  {
    files: '^proof/explore/(?:mutations|variants)/',
    may: ['proof/explore/', ...PROGRAM, ...CORE, CONTRACT],
    packages: ['@onceflow/local', 'node:'],
  },
  {
    files: '^proof/explore/',
    may: ['proof/explore/', 'proof/lanes/', ...PROGRAM, ...CORE],
    packages: ['@onceflow/local', 'node:'],
  },
  // Compares itself with the exploration, by that one's own schedules.
  {
    files: '^proof/specification/',
    may: ['proof/specification/', 'proof/explore/', ...PROGRAM],
    packages: ['node:'],
  },
  // Knows the front door as a client does, by HTTP; the app that it sends to is a user of the constructs.
  {
    files: '^proof/front-door/(?:app|stack)\\b',
    may: ['infra/index', 'proof/front-door/'],
    packages: CDK,
  },
  {
    files: '^proof/front-door/',
    may: ['proof/front-door/', ...PROGRAM, 'packages/local/runtime/ids'],
    packages: ['@onceflow/local', 'node:'],
  },
  // What users write, or install, in place of the constructs: for the league, and for the bench of costs.
  { files: '^proof/guards/', may: ['proof/guards/'], packages: ['@aws-sdk/client-dynamodb', 'node:'] },
  // Each contender is set up as a user would: the apps know the constructs, the rest the local runtime and the client.
  {
    files: '^proof/league/contenders/(?:aws-samples|by-name|workflow-app)\\b',
    may: ['infra/index', 'proof/league/'],
    packages: CDK,
  },
  {
    files: '^proof/league/',
    may: [
      'proof/league/',
      ...PROGRAM,
      'client/start-once',
      CONTRACT,
      `${WORDS}documentation`,
      'proof/bench/baseline-package',
      'proof/bench/cost/dollars',
      'proof/bench/table',
      'proof/demo/seeded-random',
      'proof/front-door/local-client',
      'proof/front-door/send',
      'proof/guards/',
      'proof/lanes/',
    ],
    packages: [...CDK, '@aws-sdk/client-dynamodb', '@aws-sdk/client-sfn', '@onceflow/local', 'node:'],
  },
  {
    files: '^proof/changes/',
    may: ['proof/changes/', ...PROGRAM, 'packages/local/runtime/ids'],
    packages: ['typescript', 'node:'],
  },
  // Knows the stack as a client does, by its endpoint; the app that it sends to is a user of the constructs.
  {
    files: '^proof/fuzz/app\\b',
    may: ['infra/index', 'infra/app/stack'],
    packages: CDK,
  },
  {
    files: '^proof/fuzz/',
    may: ['proof/fuzz/', ...PROGRAM, 'cli/dev/summary', 'packages/local/runtime/ids'],
    packages: ['@onceflow/local', '@aws-sdk/', 'node:'],
  },
  {
    files: '^proof/bench/sources/(?:app|stack)\\b',
    may: ['infra/index', 'proof/bench/sources/'],
    packages: CDK,
  },
  {
    files: '^proof/bench/',
    may: [
      'proof/bench/',
      'proof/front-door/conversation',
      'proof/front-door/local-app',
      'proof/guards/',
      ...PROGRAM,
      `${CONTRACT}state-names`,
      'packages/local/language/index',
      'packages/local/load-assembly',
      'packages/local/json/',
      'packages/local/runtime/',
      'packages/local/services/dynamodb/table/',
    ],
    packages: [ANY_PACKAGE],
  },
];

module.exports = { ANY_PACKAGE, TABLE };
