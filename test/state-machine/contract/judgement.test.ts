import fc from 'fast-check';
import { evaluate } from '../../../state-machine/contract/condition';
import { dispatchRules, runRules, startRules } from '../../../state-machine/contract/dispatch-rules';
import type { JudgedOwner } from '../../../state-machine/contract/judged';
import {
  judge,
  OTHERWISE,
  ownerRules,
  recordRules,
  recoveryRules,
} from '../../../state-machine/contract/judgement';
import type { Variant } from '../../../state-machine/contract/variant';
import { runs } from '../../support/scale';
import { asWritten, holdsInWorkflow, MACHINE, NOW, seen, variablesOf, variant } from './facts';

describe('the rules of the judgement', () => {
  const lists = (of: Variant) => [
    recordRules(of),
    ownerRules(of),
    recoveryRules(of),
    dispatchRules({ ...of, stateMachineArn: MACHINE }),
    startRules(),
    runRules(),
  ];

  test('any record, owner, time and variant: each rule says the same in TypeScript and in JSONata', async () => {
    await fc.assert(
      fc.asyncProperty(variant, seen, async (of, given) => {
        const asked = asWritten(given);
        for (const rule of lists(of).flat()) {
          const expected = { name: rule.name, holds: evaluate(rule.when, asked) };
          expect({
            name: rule.name,
            holds: await holdsInWorkflow(rule.when, variablesOf(asked, of), asked.now),
          }).toEqual(expected);
        }
      }),
      { numRuns: runs(50, 100_000) },
    );
  });

  test('any variant: each name once, and one rule that always holds, the last', () => {
    fc.assert(
      fc.property(variant, of => {
        for (const rules of lists(of)) {
          const names = rules.map(({ name }) => name);
          expect(new Set(names).size).toBe(names.length);
          expect(rules.findIndex(({ when }) => when === OTHERWISE)).toBe(rules.length - 1);
        }
      }),
    );
  });

  test('every rule decides some case: none is hidden by those before it', () => {
    const decided = new Set<string>();
    const all = new Set<string>();
    fc.assert(
      fc.property(variant, seen, (of, given) => {
        const named = {
          record: recordRules(of),
          owner: ownerRules(of),
          recovery: recoveryRules(of),
          dispatcher: dispatchRules({ ...of, stateMachineArn: MACHINE }),
          start: startRules(),
          run: runRules(),
        };
        for (const [list, rules] of Object.entries(named)) {
          for (const { name } of rules) all.add(`${list}: ${name}`);
          decided.add(`${list}: ${judge<string>(rules, asWritten(given)).name}`);
        }
      }),
      { numRuns: 20_000, seed: 1 },
    );

    expect([...all].filter(name => !decided.has(name))).toEqual([]);
    expect(all.size).toBe(50);
  });

  test('recovery releases nothing for an answer without a RedriveStatus', () => {
    const [of] = fc.sample(variant, { numRuns: 1, seed: 1 });
    const rules = recoveryRules({ ...(of as Variant), isAtMostOnce: false, maxRedrives: 3 });
    const verdictOf = (owner: JudgedOwner) => judge(rules, { record: undefined, owner, now: NOW }).verdict;

    expect(verdictOf({ status: 'ABORTED' })).toBe('redrive');
    expect(verdictOf({ status: 'ABORTED', redriveCount: 3 })).toBe('holdExhausted');
    expect(verdictOf({ status: 'ABORTED', redriveCount: 3, redriveStatus: 'NOT_REDRIVABLE' })).toBe(
      'release',
    );
  });
});
