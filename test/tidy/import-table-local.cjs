/**
 * The rows of `packages/local` in the table of imports. Its rooms have one door each: `language`, `engine`, `history`
 * and `explore/kernel` are imported by their `index`. Tests, and what is inside, go past it.
 */

/** Any package at all: the room is free in its means, not in what it knows. */
const ANY_PACKAGE = '';
/** What definitions and mapping templates are written in, and the engine: each by its one door. */
const LANGUAGE = ['packages/local/json/', 'packages/local/language/index', 'packages/local/vtl/'];
const ENGINE = 'packages/local/engine/index';
/** What services of the local runtime share: how templates are read, requests answered, and each reaches the others. */
const SERVICE_PORTS = [
  'packages/local/api/',
  'packages/local/assembly/',
  'packages/local/crc',
  'packages/local/local-error',
  'packages/local/services/local-service',
  'packages/local/services/message-queues',
  'packages/local/services/optimized-result',
  'packages/local/services/rejections',
  'packages/local/services/rule-target',
];
/** The floors of the runtime, the lowest first: what each folder of a floor knows is below, and the ids. */
const RUNTIME = 'packages/local/runtime/';
const RUNTIME_FLOORS = [
  ['calls', 'evaluation', 'requests', 'time'],
  ['catalogue'],
  ['store'],
  ['map-runs'],
  ['executor'],
  ['executions', 'test-state'],
];
/** How services write values to a state directory, and read them back. */
const STATE_VALUES = [
  'packages/local/state/damage',
  'packages/local/state/keys',
  'packages/local/state/saved-values',
];
/** What services are to the runtime, and what they are driven by. */
const RUNTIME_PORTS = ['calls/service', 'evaluation/evaluator', 'ids', 'time/clock', 'time/work-tracker'].map(
  port => `${RUNTIME}${port}`,
);
/** Where services keep what outlives the process. */
const STATE_PORTS = ['packages/local/state/directory', 'packages/local/state/persistent-values'];
/** The pure core of the runtime, with its in-memory table. */
const CORE = [
  ...LANGUAGE,
  'packages/local/load-assembly',
  ENGINE,
  'packages/local/explore/kernel/index',
  'packages/local/runtime/',
  'packages/local/services/dynamodb/table/',
];

/** @type {readonly import('./import-table.cjs').Row[]} */
const LOCAL = [
  { files: '^packages/local/json/', may: ['packages/local/json/'], packages: [] },
  {
    files: '^packages/local/language/jsonata/',
    may: ['packages/local/json/', 'packages/local/language/jsonata/'],
    packages: ['jsonata', 'jsonata206', 'node:'],
  },
  {
    files: '^packages/local/language/jsonpath/',
    may: [
      'packages/local/json/',
      'packages/local/language/jsonpath/',
      'packages/local/language/asl/timestamp',
    ],
    packages: ['node:'],
  },
  {
    files: '^packages/local/language/',
    may: ['packages/local/json/', 'packages/local/language/'],
    packages: ['jsonata206', 'node:'],
  },
  { files: '^packages/local/vtl/', may: [...LANGUAGE], packages: [] },
  { files: '^packages/local/engine/', may: [...LANGUAGE, 'packages/local/engine/'], packages: [] },
  ...RUNTIME_FLOORS.flatMap((rooms, floor) =>
    rooms.map(room => {
      const below = [
        'ids',
        `${room}/`,
        ...RUNTIME_FLOORS.slice(0, floor).flatMap(lower => lower.map(one => `${one}/`)),
      ];
      const may = [...LANGUAGE, ENGINE, ...below.map(one => `${RUNTIME}${one}`)];
      return { files: `^${RUNTIME}${room}/`, may, packages: ['node:'] };
    }),
  ),
  { files: `^${RUNTIME}`, may: [ENGINE, RUNTIME], packages: ['node:'] },
  {
    files: '^packages/local/history/',
    may: ['packages/local/history/', 'packages/local/json/'],
    packages: [],
  },
  // Drives the engine by what a history says; of the runtime it has what evaluates expressions.
  {
    files: '^packages/local/replay/',
    may: [
      ...LANGUAGE,
      ENGINE,
      'packages/local/history/index',
      'packages/local/replay/',
      'packages/local/runtime/evaluation/',
      'packages/local/runtime/ids',
    ],
    packages: [],
  },
  // The service that runs state machines: the one that knows the runtime.
  {
    files: '^packages/local/services/(states)/',
    may: [
      ...LANGUAGE,
      ...SERVICE_PORTS,
      'packages/local/history/index',
      'packages/local/runtime/',
      'packages/local/services/$1/',
      'packages/local/state/',
    ],
    packages: ['node:'],
  },
  // A service knows no other: what joins two goes through the port.
  {
    files: '^packages/local/services/([^/]+)/',
    may: [...LANGUAGE, ...SERVICE_PORTS, 'packages/local/services/$1/', ...STATE_VALUES],
    mayAsType: [...RUNTIME_PORTS, ...STATE_PORTS],
    packages: [ANY_PACKAGE],
  },
  {
    files: '^packages/local/services/[^/]+$',
    may: [...LANGUAGE, ...SERVICE_PORTS, 'packages/local/services/', ...STATE_VALUES],
    mayAsType: [...RUNTIME_PORTS, ...STATE_PORTS],
    packages: [],
  },
  {
    files: '^packages/local/assembly/',
    may: [...LANGUAGE, 'packages/local/assembly/'],
    packages: ['node:', 'yaml'],
  },
  // What answers instead of a service.
  {
    files: '^packages/local/mocks/',
    may: [
      ...LANGUAGE,
      'packages/local/assembly/likeness',
      'packages/local/assembly/read-document',
      'packages/local/mocks/',
      'packages/local/runtime/calls/service',
      'packages/local/runtime/requests/',
    ],
    packages: [],
  },
  {
    files: '^packages/local/state/',
    may: [...LANGUAGE, 'packages/local/crc', ENGINE, 'packages/local/runtime/', 'packages/local/state/'],
    packages: ['classic-level', 'node:'],
  },
  {
    files: '^packages/local/api/',
    may: [...LANGUAGE, 'packages/local/api/', 'packages/local/runtime/requests/errors'],
    packages: ['node:'],
  },
  // What tests use of the stack: its faults, deliveries and calls. In sentences it knows no more than their types.
  {
    files: '^packages/local/testing/',
    may: [
      ...LANGUAGE,
      'packages/local/testing/',
      'packages/local/runtime/',
      'packages/local/deliver-event',
      'packages/local/local-error',
      'packages/local/local-options',
      'packages/local/option-names',
      'packages/local/start-local',
    ],
    packages: ['node:'],
  },
  // What both explorers are made of: states, steps, the search, traces, and the pure engine on tables in memory.
  {
    files: '^packages/local/explore/kernel/',
    may: [
      ...CORE,
      'packages/local/explore/kernel/',
      'packages/local/services/dynamodb/rejection',
      'packages/local/services/lambda/arguments',
    ],
    packages: [],
  },
  // Searches what a definition of a user can come to.
  {
    files: '^packages/local/explore/',
    may: [
      ...LANGUAGE,
      'packages/local/explore/',
      'packages/local/option-names',
      ENGINE,
      'packages/local/runtime/requests/arns',
      'packages/local/runtime/calls/call-signals',
      'packages/local/runtime/ids',
      'packages/local/assembly/find-resource',
      'packages/local/services/dynamodb/table/',
    ],
    mayAsType: ['packages/local/load-assembly', 'packages/local/runtime/calls/service'],
    packages: [],
  },
  // The command: a program on the library, which explores, and reads files and mocks by the rules of an app.
  {
    files: '^packages/local/command/',
    may: [
      ...LANGUAGE,
      'packages/local/assembly/likeness',
      'packages/local/assembly/text-file',
      'packages/local/command/',
      'packages/local/explore/',
      'packages/local/index',
      'packages/local/load-assembly',
      'packages/local/mocks/',
      'packages/local/option-names',
    ],
    mayAsType: ['packages/local/runtime/executions/execution-history'],
    packages: ['node:'],
  },
  {
    files: '^packages/local/test/',
    may: ['packages/local/', 'test/support/run-typescript', 'test/support/scale'],
    packages: [ANY_PACKAGE],
  },
  { files: '^packages/local/[^/]+$', may: ['packages/local/'], packages: [ANY_PACKAGE] },
];

module.exports = { ANY_PACKAGE, CORE, LOCAL };
