import { Estimate } from '../../../../proof/explore/search/estimate';

const at = (depth: number, waiting: number, states: number) => ({ depth, waiting, states, transitions: 0 });

describe('Estimate', () => {
  test('levels that grow: unknown', () => {
    const estimate = new Estimate();

    expect(estimate.secondsLeft(at(1, 10, 20), 1)).toBeUndefined();
    expect(estimate.secondsLeft(at(2, 20, 40), 2)).toBeUndefined();
  });

  test('levels that are each half of the one before: what waits twice, at the speed until now', () => {
    const estimate = new Estimate();
    estimate.secondsLeft(at(1, 800, 1000), 1);

    // 1000 states were explored in 5 seconds; 400 wait, and 200, 100 and so on come behind them.
    expect(estimate.secondsLeft(at(2, 400, 1400), 5)).toBeCloseTo(4);
    expect(estimate.secondsLeft(at(2, 200, 1400), 6)).toBeCloseTo(2);
  });

  test('levels that grow again: unknown again', () => {
    const estimate = new Estimate();
    for (const [depth, waiting] of [
      [1, 800],
      [2, 400],
    ] as const)
      estimate.secondsLeft(at(depth, waiting, 2000), 5);

    expect(estimate.secondsLeft(at(3, 500, 3000), 6)).toBeUndefined();
  });
});
