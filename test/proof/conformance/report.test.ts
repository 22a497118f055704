import { renderReport } from '../../../proof/conformance/render';
import { type CaseResult, reportOf } from '../../../proof/conformance/report';

const RESULTS: readonly CaseResult[] = [
  { file: 'a/one.json', outcome: { kind: 'passed' } },
  { file: 'a/two.json', outcome: { kind: 'skipped', reason: 's3' } },
  { file: 'a/three.json', outcome: { kind: 'skipped', reason: 'kms' } },
  { file: 'a/four.json', outcome: { kind: 'skipped', reason: 'kms' } },
  {
    file: 'top.json',
    outcome: {
      kind: 'failed',
      difference: {
        path: '/history/1/type',
        message: 'differs',
        expected: 'PassStateEntered',
        actual: 'Other',
      },
    },
  },
];

describe('the report', () => {
  test('counts by folder, reasons by how often they come', () => {
    const report = reportOf(RESULTS, 1.234);

    expect(report).toMatchObject({
      ok: false,
      passed: 1,
      failed: 1,
      skipped: 3,
      seconds: 1.23,
      folders: [
        { folder: 'a', passed: 1, failed: 0, skipped: 3 },
        { folder: '.', passed: 0, failed: 1, skipped: 0, skips: {} },
      ],
      failures: [{ file: 'top.json', path: '/history/1/type', expected: 'PassStateEntered' }],
    });
    expect(Object.entries(report.folders[0]?.skips ?? {})).toEqual([
      ['kms', 2],
      ['s3', 1],
    ]);
  });

  test('nothing but passes and skips: ok', () => {
    expect(reportOf(RESULTS.slice(0, 4), 1).ok).toBe(true);
  });

  test('for people: counts, reasons, then each first difference', () => {
    expect(renderReport(reportOf(RESULTS, 1.234))).toBe(
      [
        '  a    1 passed, 0 failed, 3 skipped',
        '       2 skipped for kms',
        '       1 skipped for s3',
        '  .    0 passed, 1 failed, 0 skipped',
        '  all  1 passed, 1 failed, 3 skipped',
        '  1.23 s',
        '',
        'top.json',
        '  /history/1/type differs',
        '    expected  "PassStateEntered"',
        '    actual    "Other"',
        '',
      ].join('\n'),
    );
  });
});
