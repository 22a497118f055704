import { explore } from '../../../proof/explore/search/search';
import { shippedSubject } from './subject';

const DIRECT = ['direct'] as const;

describe('explore, the shipped definition', () => {
  it('two deliveries, two faults: no violation', async () => {
    const { violation, states } = await explore(shippedSubject(), {
      executions: 2,
      faults: 2,
      entries: DIRECT,
    });

    expect(violation).toBeUndefined();
    expect(states).toBeGreaterThan(10_000);
  }, 60_000);

  it('two deliveries, also by the dispatcher, one fault: no violation', async () => {
    const entries = ['direct', 'dispatcher'] as const;

    const { violation } = await explore(shippedSubject(), { executions: 2, faults: 1, entries });

    expect(violation).toBeUndefined();
  }, 60_000);

  it('twice: the same counts', async () => {
    const budget = { executions: 2, faults: 1, entries: DIRECT };

    const once = await explore(shippedSubject(), budget);

    expect(await explore(shippedSubject(), budget)).toEqual(once);
  }, 60_000);

  it('no faults: the step runs once, whoever comes when', async () => {
    const { violation, states } = await explore(shippedSubject(), {
      executions: 3,
      faults: 0,
      entries: DIRECT,
    });

    expect(violation).toBeUndefined();
    expect(states).toBeGreaterThan(100);
  });
});
