import { type ChangeableTree, type Stage, StageRuns } from '../../../proof/changes/stages';

const UNIT: Stage = { name: 'unit tests', command: [] };
const SCENARIOS: Stage = { name: 'scenarios', command: [] };

/** The stages that fail with a change, and those that fail without one. */
interface Failing {
  readonly withChange: readonly Stage[];
  readonly without?: readonly Stage[];
}

function runsOf({ withChange, without = [] }: Failing, aborts?: AbortController) {
  const ran: string[] = [];
  let isChanged = false;
  const tree: ChangeableTree<string> = {
    async during(_, run) {
      isChanged = true;
      try {
        return await run();
      } finally {
        isChanged = false;
      }
    },
    async passes(stage) {
      ran.push(`${stage.name} ${isChanged ? 'with' : 'without'} it`);
      aborts?.abort();
      return !(isChanged ? withChange : without).includes(stage);
    },
  };
  return { runs: new StageRuns(tree, [UNIT, SCENARIOS]), ran };
}

const { signal } = new AbortController();

describe('the stage that notices a change', () => {
  test('is the first that fails with the change and passes without it', async () => {
    const { runs, ran } = runsOf({ withChange: [SCENARIOS] });

    expect(await runs.noticedBy('change', signal)).toBe('scenarios');
    expect(ran).toEqual(['unit tests with it', 'scenarios with it', 'scenarios without it']);
  });

  test('that fails without the change, too: an error', async () => {
    const { runs } = runsOf({ withChange: [UNIT], without: [UNIT] });

    await expect(runs.noticedBy('change', signal)).rejects.toThrow('unit tests fails without a change');
  });

  test('is tried without a change only once', async () => {
    const { runs, ran } = runsOf({ withChange: [UNIT] });
    await runs.noticedBy('one', signal);
    ran.length = 0;

    expect(await runs.noticedBy('another', signal)).toBe('unit tests');
    expect(ran).toEqual(['unit tests with it']);
  });

  test('is none if all stages pass', async () => {
    expect(await runsOf({ withChange: [] }).runs.noticedBy('change', signal)).toBeUndefined();
  });

  test('is none if the run is interrupted', async () => {
    const aborts = new AbortController();
    const { runs } = runsOf({ withChange: [UNIT] }, aborts);

    expect(await runs.noticedBy('change', aborts.signal)).toBeUndefined();
  });
});
