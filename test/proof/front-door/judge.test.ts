import type { Answer, Expectation } from '../../../proof/front-door/conversation';
import { judge, judgeEffects } from '../../../proof/front-door/judge';

const PROBLEM = {
  type: 'https://example.com/problems#step-failed',
  title: 'The step failed',
  status: 402,
  error: 'CardDeclined',
};

function answer(more: Partial<Extract<Answer, { readonly kind: 'answer' }>> = {}): Answer {
  return {
    kind: 'answer',
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8', vary: 'Origin, Accept' },
    body: '{"chargeId":"c-1","amount":12.5}',
    tookMs: 1000,
    ...more,
  };
}

const problem = answer({
  status: 402,
  headers: { 'content-type': 'application/problem+json' },
  body: JSON.stringify(PROBLEM),
});

const faultsOf = (one: Answer, expectation: Partial<Expectation>, others: readonly Answer[] = []) =>
  judge([...others, one], [...others.map(() => ({ status: [200, 402] })), { status: 200, ...expectation }]);

describe('an answer', () => {
  test.each<[what: string, one: Answer, expectation: Partial<Expectation>]>([
    ['a status of several', answer({ status: 202 }), { status: [200, 202] }],
    ['no answer, where none is due', { kind: 'none' }, { status: '<none>' }],
    [
      'headers',
      answer(),
      { headers: { 'Content-Type': 'application/json', Vary: '<includes:accept>', Location: '<absent>' } },
    ],
    ['a body by value', answer(), { bodyEquals: { amount: 12.5, chargeId: '<any>' } }],
    [
      'a problem',
      problem,
      { status: 402, problemType: 'step-failed', extensions: { error: 'CardDeclined' } },
    ],
  ])('%s: as expected', (_what, one, expectation) => {
    expect(faultsOf(one, expectation)).toEqual([]);
  });

  test.each<[expectation: Partial<Expectation>, fault: RegExp]>([
    [{ status: 201 }, /status 200, not 201/],
    [{ status: '<none>' }, /status 200/],
    [{ headers: { Vary: '<absent>' } }, /header Vary is Origin, Accept/],
    [{ headers: { Vary: '<includes:Cookie>' } }, /header Vary/],
    [{ headers: { Location: '<any>' } }, /header Location is absent/],
    [{ bodyEquals: { chargeId: '<any>' } }, /another body/],
    [{ bodyEquals: { chargeId: '<any>', amount: '12.5' } }, /another body/],
    [{ bodyText: '{}' }, /another body/],
    [{ bodyContains: ['arn:'] }, /lacks arn:/],
    [{ bodyExcludes: ['c-1'] }, /has c-1/],
    [{ bodyLengthMin: 100 }, /32 characters/],
    [{ problemType: 'step-failed' }, /a problem of type undefined/],
    [{ withinMs: 500 }, /after 1000 ms/],
  ])('that is not %j: said', (expectation, fault) => {
    const [said = ''] = faultsOf(answer(), expectation);
    expect(said).toMatch(fault);
  });

  test('a problem of another type, status or cause: said', () => {
    expect(faultsOf(problem, { status: 402, problemType: 'in-progress' })).toHaveLength(1);
    expect(
      faultsOf(problem, { status: 402, problemType: 'step-failed', extensions: { error: 'X' } }),
    ).toHaveLength(1);
    const plain = { ...problem, body: JSON.stringify({ ...PROBLEM, status: 500 }) };
    expect(faultsOf(plain, { status: 402, problemType: 'step-failed' })).toHaveLength(1);
  });

  test('the same as another: by status and body; a group by its bodies', () => {
    const other = answer({ body: '{"chargeId":"c-2"}' });
    expect(faultsOf(other, { sameAs: 0 }, [answer()])).toEqual([
      expect.stringMatching(/^answer 1: not the same/),
    ]);
    expect(faultsOf(answer(), { notSameAs: 0 }, [answer()])).toEqual(['answer 1: the same body as answer 0']);
    const group = { status: 200, sameGroup: 'one' };
    expect(judge([answer(), other], [group, group])).toEqual(['group one: 2 different answers']);
  });
});

test('effects that are not those: said', () => {
  const happened = { charges: 2, refunds: 0, stepRuns: 2, stepKeys: 1, atOnce: 1 };
  expect(judgeEffects(happened, { charges: 2, stepKeys: 1 })).toEqual([]);
  expect(judgeEffects(happened, { charges: 1, atOnce: 2 })).toEqual([
    'charges: 2, not 1',
    'atOnce: 1, not 2',
  ]);
  expect(judgeEffects(happened, { chargesMax: 1 })).toEqual(['charges: 2, not 0 to 1']);
});
