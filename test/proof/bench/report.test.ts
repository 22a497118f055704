import { parseOptions } from '../../../proof/bench/options';
import { renderReport } from '../../../proof/bench/render';
import { median, rowOf } from '../../../proof/bench/report';

describe('the median', () => {
  test.each<[readonly number[], number]>([
    [[3], 3],
    [[9, 1, 5], 5],
    [[10, 9, 2, 1], 2],
  ])('of %j: %d', (numbers, middle) => {
    expect(median(numbers)).toBe(middle);
  });

  test('of none: a fault', () => {
    expect(() => median([])).toThrow();
  });
});

describe('a row', () => {
  test('is the median of its runs, by execution and by event', () => {
    const runs = [0.4, 0.1, 0.2].map(seconds => ({ executions: 1000, seconds, events: 10_000 }));

    expect(rowOf('a', 'three', runs)).toEqual({
      bench: 'a',
      what: 'three',
      runs: 3,
      executionsPerSecond: 5000,
      microsecondsPerExecution: 200,
      microsecondsPerEvent: 20,
    });
  });

  test('without events: says nothing of them', () => {
    expect(rowOf('a', 'three', [{ executions: 10, seconds: 1 }])).not.toHaveProperty('microsecondsPerEvent');
  });
});

describe('the table', () => {
  test('has a line per row, then ratios, then what is missing', () => {
    const text = renderReport({
      node: '20.1.0',
      cpus: '2 x Some',
      rows: [
        { ...rowOf('a', 'long name', [{ executions: 1000, seconds: 0.1, events: 5000 }]) },
        { ...rowOf('c', 'short', [{ executions: 1000, seconds: 0.05 }]), heapBytesPerExecution: 4321 },
      ],
      ratios: [{ what: 'one to the other', ratio: 0.5 }],
      comparisons: [],
      costs: [],
      dollars: [],
      figures: [{ bench: 'f', what: 'a start', value: 1234.5, unit: 'ms' }],
      latency: [],
      frontDoor: [],
      notMeasured: ['the rest: no network'],
      wallSeconds: 61.5,
    });

    expect(text).toBe(
      [
        'node 20.1.0, 2 x Some',
        '',
        '       bench      executions/s  us/execution  us/event  heap bytes/execution',
        '  (a)  long name        10,000         100.0     20.00',
        '  (c)  short            20,000          50.0                           4,321',
        '',
        '  0.50  one to the other',
        '  (f)  a start  1,234.5 ms',
        '',
        '  not measured: the rest: no network',
        '  time 61.5 s',
        '',
      ].join('\n'),
    );
  });

  test('a comparison: times on both sides, and how often in a second of processor time now', () => {
    const text = renderReport({
      ...{ node: '20.1.0', cpus: '2 x Some', rows: [], ratios: [], figures: [], dollars: [], costs: [] },
      ...{ latency: [], frontDoor: [], notMeasured: [], wallSeconds: 1 },
      comparisons: [
        {
          bench: 'b',
          what: 'orders',
          to: 'v1',
          cpu: { before: 400, now: 200, ratio: 2 },
          clock: { before: 300, now: 200, ratio: 1.5 },
        },
      ],
    });

    const line = text.split('\n').find(one => one.includes('orders')) ?? '';
    expect(line.trim().split(/ {2,}/)).toEqual([
      '(b)',
      'orders',
      'v1',
      '400.0',
      '200.0',
      '2.00',
      '300.0',
      '200.0',
      '1.50',
      '5,000',
    ]);
  });

  test('costs alone: their table and no other', () => {
    const calls = { invocations: 1, writes: 2, reads: 0, describeExecutions: 0, awaitedInFunction: 0 };
    const text = renderReport({
      node: '20.1.0',
      cpus: '2 x Some',
      rows: [],
      ratios: [],
      figures: [],
      comparisons: [],
      dollars: [{ what: 'onceflow', fresh: 76.25, duplicate: 1.3, mixed: [{ percent: 5, dollars: 72.5 }] }],
      costs: [{ what: 'onceflow', delivery: 'fresh', transitions: 3, expressExecutions: 1, ...calls }],
      latency: [],
      frontDoor: [],
      notMeasured: [],
      wallSeconds: 2,
    });

    expect(text.split('\n')).toEqual([
      'node 20.1.0, 2 x Some',
      '',
      '       a delivery takes         transitions  Express  invocations  wri' +
        'tes  reads  DescribeExecution  awaited in Lambda',
      '  (d)  onceflow          fresh            3        1            1     ' +
        '  2      0                  0                  0',
      '',
      '       dollars for a million deliveries  fresh  duplicate  5 % duplicates',
      '  (d)  onceflow                          76.25       1.30           72.50',
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
      { options: { benches: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k'], json: false } },
    ],
    ['one of them, as JSON', ['--only', 'b', '--json'], { options: { benches: ['b'], json: true } }],
    ['help', ['--help'], { kind: 'help' }],
    [
      'one that is none: usage',
      ['--only', 'z'],
      { kind: 'usage', message: '--only takes one of a, b, c, d, e, f, g, h, i, j, k; got "z"' },
    ],
    [
      'against a revision: what is compared with it, and what belongs beside',
      ['--against', 'v1'],
      { kind: 'options', options: { benches: ['a', 'b', 'c', 'j', 'k'], against: 'v1' } },
    ],
    ['an unknown option: usage', ['--slow'], { kind: 'usage', message: 'unknown option --slow' }],
  ])('%s', (_title, args, parsed) => {
    expect(parseOptions(args)).toMatchObject(parsed);
  });
});
