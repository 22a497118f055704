import { readFileSync } from 'node:fs';
import path from 'node:path';
import { MUTATIONS } from '../../../proof/explore/mutations/run';
import { replayTrace } from '../../../proof/explore/trace';
import { VARIANT_MUTATIONS } from '../../../proof/explore/variants/mutations';
import { exploreVariant } from '../../../proof/explore/variants/run';
import { renderVariants } from '../../../proof/explore/variants/table';
import { VARIANTS, type VariantName } from '../../../proof/explore/variants/variants';
import { explored } from '../../support/scale';
import { SCHEDULES, violationOf } from './schedules';
import { variantExploration, variantSubject } from './subject';

const BUDGET = { executions: 2, faults: 1, channels: ['direct'] as const };

const PAGE = readFileSync(path.join(__dirname, '../../../docs/proof/explored-variants.md'), 'utf8');
/** The table of the variants: other tables of the page have rows of some of them, too. */
const [, TABLE = ''] = /^<!-- explore: variants -->\n([\s\S]*?)^<!-- explore: end -->$/m.exec(PAGE) ?? [];
const rowOf = (name: string) => TABLE.split('\n').find(line => line.startsWith(`| ${name} |`)) ?? '';

/** A row, or rows, without the hash of the definition. */
function withoutDefinition(rows: string): string {
  return rows.replaceAll(/ \| `\w+` \|$/gm, ' |');
}

/** Whether a row of the page's table has so few states that it is explored again: the counts, and no violation. */
function isExploredAgain(name: string): boolean {
  const states = Number((rowOf(name).split(' | ')[3] ?? '').replaceAll(',', ''));
  return states <= explored(4_000, 25_000);
}

/** What a schedule of a variant comes to, in the end: the record, and the executions. */
function cameTo(name: VariantName, schedule: string) {
  const budget = { ...BUDGET, executions: 3, faults: 2 };
  const { trace, violation } = replayTrace(variantSubject(name), budget, schedule.split(' '));
  return { record: trace.at(-1)?.record, executions: trace.at(-1)?.executions, violation };
}

/**
 * Two variants are explored with one fault less, because they take long and show no more. Two entries at once, or a
 * front door, take minutes. With one fault no execution is redriven twice. `--variants` has more.
 */
const ONE_DELIVERY: readonly VariantName[] = [
  'fragment',
  'fragment-in-jsonpath',
  'recovery-redrives',
  'front-door',
  'front-door-express',
];

describe('each variant', () => {
  /** Those that the table of all variants does not have explored as far. */
  const namesBut = (deliveries: number, faults: number) =>
    VARIANTS.filter(({ name, budget: [most, mostFaults] }) => {
      return !isExploredAgain(name) || most < deliveries || mostFaults < faults;
    }).map(({ name }) => name);

  test.each(namesBut(2, 1))(
    '%s: no violation, with a fault at any point',
    async name => {
      const executions = ONE_DELIVERY.includes(name) ? 1 : explored(1, 2);
      const { violation } = await variantExploration(name, {
        ...BUDGET,
        executions,
        symmetry: executions > 1,
      });

      expect(violation).toBeUndefined();
    },
    120_000,
  );

  test.each(namesBut(3, 0))(
    '%s: no violation, without a fault, two deliveries or one behind a deployment',
    async name => {
      const subject = variantSubject(name);
      const executions = (subject.formerDeliveries ?? 1) + 1;
      const { violation } = await variantExploration(name, {
        ...BUDGET,
        executions,
        faults: 0,
        symmetry: true,
      });

      expect(violation).toBeUndefined();
    },
  );
});

describe('an Express workflow', () => {
  test('its time is nearly over when its step begins: it ends, and the step works on until the lease is over', () => {
    const { record, executions } = cameTo('express', 'start1 slow1 do1 do1 pass over1');

    expect(record).toBe('IN_PROGRESS of direct-1, attempt 1');
    expect(executions).toBe('E1 TIMED_OUT');
  });

  test('after the lease of an ended owner: another one takes over', () => {
    const { record } = cameTo('express', 'start1 do1 timeout1 never1 pass start2 do2 do2 do2');

    expect(record).toBe('IN_PROGRESS of direct-2, attempt 2');
  });

  test('run from its beginning again: rejected, as its first run holds the lease', () => {
    const { executions } = cameTo('express', 'start1 do1 restart1 do1 do1');

    expect(executions).toBe('E1 FAILED, Idempotency.InProgress');
  });
});

describe('delivery at most once', () => {
  test('owner redriven by a person within its step: runs again, and after its failure the key is held', () => {
    const schedule = 'start1 do1 do1 abort1 ends1.1 pass redrive1 do1 fail1.1 pass timer1 do1';
    const { trace, violation } = replayTrace(
      variantSubject('at-most-once'),
      { ...BUDGET, faults: 3 },
      schedule.split(' '),
    );

    expect(trace.at(-1)?.record).toBe('HELD of direct-1, attempt 1');
    expect(violation).toBeUndefined();
  });
});

describe('a delivery that waits', () => {
  test('its time is over and the owner at work: ends, and not before', () => {
    const waits = 'start1 start2 do1 do1 do2 do2 pass timer2 do2';

    expect(cameTo('wait', waits).executions).toBe('E1 in Business step; E2 in Wait for the owner');
    expect(cameTo('wait', `${waits} pass timer2 do2`).executions).toBe(
      'E1 in Business step; E2 FAILED, Idempotency.InProgress',
    );
  });
});

describe('a stored failure', () => {
  test('next delivery: ends with its error, and the step does not run', () => {
    const { record, executions } = cameTo('stored-failure', 'start1 do1 do1 fail1.1 do1 end1 start2 do2 do2');

    expect(record).toBe('FAILED of direct-1, attempt 1');
    expect(executions).toBe('E1 FAILED, PaymentDeclined; E2 FAILED, PaymentDeclined');
  });
});

describe('a chain', () => {
  const chain = (schedule: string) => cameTo('chain', schedule);

  test('the answer of its function is lost: the failure waits until that has certainly ended', () => {
    const { executions } = chain('start1 do1 do1 lose-answer1.1:SdkClientException ends1.1');

    expect(executions).toBe('E1 in Let the step end');
  });
});

describe('recovery and an operator, by name', () => {
  const DEAD = 'start1 do1 do1 abort1 ends1.1 tell1 recover1 pass pass';
  const recovering = (schedule: string) => {
    const budget = { ...BUDGET, faults: 3 };
    const { trace, violation } = replayTrace(variantSubject('recovery'), budget, schedule.split(' '));
    return { record: trace.at(-1)?.record, executions: trace.at(-1)?.executions, violation };
  };

  test('record read, released by a person, and then the redrive: not made, as that was read long ago', () => {
    const read = `${DEAD} wake1 recover1 slow-recovery1 release pass released start2 do2 do2 do2 do2 recover1`;

    expect(recovering(read)).toEqual({
      record: 'IN_PROGRESS of direct-2, attempt 2',
      executions: 'E1 ABORTED; E2 in Business step',
      violation: undefined,
    });
  });

  test('redrive on its way when a release begins: the owner finishes, and the release is too late', () => {
    const redriven = `${DEAD} wake1 recover1 recover1 release recover1 do1 works1.1 do1`;

    expect(recovering(redriven)).toMatchObject({ record: expect.stringMatching(/^COMPLETED of direct-1/) });
  });

  test('release between what recovery asks and reads: nothing is redriven', () => {
    expect(recovering(`${DEAD} wake1 recover1 release recover1`)).toEqual({
      record: 'RELEASING of direct-1, attempt 1',
      executions: 'E1 ABORTED',
      violation: undefined,
    });
  });

  test('release by a person, then recovery: nothing is delivered', () => {
    expect(recovering(`${DEAD} release pass released wake1 recover1 recover1`)).toEqual({
      record: 'RELEASED of direct-1, attempt 1',
      executions: 'E1 ABORTED',
      violation: undefined,
    });
  });

  test('doubled event, and the owner is interrupted again: redriven once for each end', () => {
    const twice =
      'start1 do1 abort1 tell1 recover1 tell1:again recover2 pass pass wake1 wake2 recover1 recover2 recover1 recover2 recover1 do1 abort1 recover2';

    expect(recovering(twice)).toMatchObject({ executions: 'E1 ABORTED', violation: undefined });
  });
});

describe('the guards that a variant has for itself', () => {
  test('schedules that are kept: each is that of a mutant', () => {
    const names = [...VARIANT_MUTATIONS, ...MUTATIONS].map(({ name }) => name);

    expect(Object.keys(SCHEDULES).filter(name => !names.includes(name))).toEqual([]);
  });

  test.each(VARIANT_MUTATIONS.map(mutation => [mutation.name, mutation] as const))(
    '%s: missed when it is taken away',
    async (_name, mutation) => {
      expect(await violationOf(variantSubject(mutation.variant), mutation)).toBeDefined();
    },
    120_000,
  );
});

describe('the table of the variants in docs/proof/explored-variants.md', () => {
  test('rows: one for each variant, with its budget', () => {
    for (const { name, budget } of VARIANTS)
      expect(rowOf(name)).toMatch(new RegExp(`^\\| ${name} \\| ${budget.join(' \\| ')} \\| `));
  });

  test.each(
    VARIANTS.filter(({ name }) => isExploredAgain(name)).map(variant => [variant.name, variant] as const),
  )(
    '%s: the counts are those of an exploration',
    async (name, variant) => {
      const fate = await exploreVariant(variant, variantSubject(name));

      // What they were counted on may have changed since, and come to the same.
      expect(withoutDefinition(renderVariants([fate], true))).toContain(withoutDefinition(rowOf(name)));
    },
    60_000,
  );
});
