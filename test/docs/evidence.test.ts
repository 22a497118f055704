import { CLAIMS } from '../../cli/verify/claims';
import type { Evidence } from '../../cli/verify/evidence';
import { withEvidence } from './evidence';
import { readIfThere } from './page';

const EVIDENCE: Evidence = {
  isAws: true,
  endpoint: null,
  region: 'eu-west-1',
  begunAt: '2026-12-01T10:00:00.000Z',
  endedAt: '2026-12-01T10:10:00.000Z',
  versions: {},
  scenarios: [],
  claims: [
    { id: 'one', verdict: 'seen', detail: '' },
    { id: 'two', verdict: 'contradicted', detail: '4 in place of 3' },
    { id: 'three', verdict: 'open', detail: '' },
  ],
  transitions: 0,
  dollars: 0,
  left: [],
};

const cell = (id: string, words = 'old') => `assumed; <!-- seen: ${id} -->${words}<!-- /seen --> | next`;

test.each([
  ['one', 'on AWS: seen 2026-12-01, eu-west-1'],
  ['two', 'on AWS: **contradicted** 2026-12-01, eu-west-1: 4 in place of 3'],
  ['three', 'on AWS: never'],
  ['all', 'The scenarios of `onceflow verify` ran on AWS (2026-12-01, eu-west-1), nothing else'],
])('a place for %s: what the evidence says, in place of the old text', (id, words) => {
  expect(withEvidence(cell(id), EVIDENCE)).toBe(cell(id, words));
});

test('no evidence of AWS: never', () => {
  expect(withEvidence(cell('one'), undefined)).toMatch('on AWS: never');
});

test('the page of claims has a place for each claim that verify settles, and for no other', () => {
  const page = readIfThere('docs/reference/aws-claims.md') ?? '';
  const ids = [...page.matchAll(/<!-- seen: ([\w-]+) -->/g)].map(([, id]) => id);

  expect(ids.filter(id => id !== 'all').sort()).toEqual(CLAIMS.map(({ id }) => id).sort());
});
