import { parseOptions } from '../../../proof/bench/options';
import { renderReport } from '../../../proof/bench/render';
import { rowOf } from '../../../proof/bench/statistics';

describe('the table', () => {
  test('has a line per row, then ratios, then what is missing', () => {
    const text = renderReport({
      node: '20.1.0',
      cpus: '2 x Some',
      rows: [
        { ...rowOf('tasks', 'long name', [{ executions: 1000, seconds: 0.1, events: 5000 }]) },
        { ...rowOf('memory', 'short', [{ executions: 1000, seconds: 0.05 }]), heapBytesPerExecution: 4321 },
      ],
      ratios: [{ what: 'one to the other', ratio: 0.5 }],
      costs: [],
      dollars: [],
      latency: [],
      frontDoor: [],
      waits: [],
      bySource: [],
      notMeasured: ['the rest: no network'],
      wallSeconds: 61.5,
    });

    expect(text).toBe(
      [
        'node 20.1.0, 2 x Some',
        '',
        '            bench      executions/s  us/execution  us/event  heap bytes/execution',
        '  (tasks)   long name        10,000         100.0     20.00',
        '  (memory)  short            20,000          50.0                           4,321',
        '',
        '  0.50  one to the other',
        '  not measured: the rest: no network',
        '  time 61.5 s',
        '',
      ].join('\n'),
    );
  });

  test('costs alone: their table and no other', () => {
    const calls = {
      invocations: 1,
      writes: 2,
      reads: 0,
      describeExecutions: 0,
      awaitedInFunction: 0,
      logBytes: 0,
    };
    const text = renderReport({
      node: '20.1.0',
      cpus: '2 x Some',
      rows: [],
      ratios: [],
      dollars: [{ what: 'onceflow', fresh: 76.25, duplicate: 1.3, mixed: [{ percent: 5, dollars: 72.5 }] }],
      costs: [{ what: 'onceflow', delivery: 'fresh', transitions: 3, expressExecutions: 1, ...calls }],
      latency: [],
      frontDoor: [],
      waits: [],
      bySource: [],
      notMeasured: [],
      wallSeconds: 2,
    });

    expect(text.split('\n')).toEqual([
      'node 20.1.0, 2 x Some',
      '',
      '           a delivery takes         transitions  Express  invocations  wri' +
        'tes  reads  DescribeExecution  awaited in Lambda  bytes logged',
      '  (costs)  onceflow          fresh            3        1            1     ' +
        '  2      0                  0                  0             0',
      '',
      '           dollars for a million deliveries  fresh  duplicate  5 % duplicates',
      '  (costs)  onceflow                          76.25       1.30           72.50',
      '',
      expect.stringMatching(/^ {2}list prices in us-east-1 of /),
      '',
      '  time 2 s',
      '',
    ]);
  });
});

describe('the command line of the bench', () => {
  test.each<[string, readonly string[], object]>([
    [
      'nothing: everything',
      [],
      {
        options: {
          benches: ['tasks', 'workflow', 'memory', 'costs', 'sources'],
          json: false,
        },
      },
    ],
    [
      'one of them, as JSON',
      ['--only', 'workflow', '--json'],
      { options: { benches: ['workflow'], json: true } },
    ],
    ['help', ['--help'], { kind: 'help' }],
    [
      'one that is none: usage',
      ['--only', 'z'],
      {
        kind: 'usage',
        message: '--only must be one of tasks, workflow, memory, costs, sources; got "z"',
      },
    ],
    ['an unknown option: usage', ['--slow'], { kind: 'usage', message: 'unknown option --slow' }],
  ])('%s', (_title, args, parsed) => {
    expect(parseOptions(args)).toMatchObject(parsed);
  });
});
