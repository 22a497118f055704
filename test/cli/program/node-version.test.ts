import { nodeProblem } from '../../../cli/program/node-version';

const { engines } = require('../../../package.json');

describe('nodeProblem', () => {
  test.each(['14.21.3', '18.20.8', '20.0.0', '20.5.1'])('rejects Node.js %s', version => {
    expect(nodeProblem(version)).toBe(
      `onceflow needs Node.js 20.6 or later (22 or 24 is better), and this is Node.js ${version}. Install a newer one`,
    );
  });

  test.each(['20.6.0', '20.20.2', '22.0.0', '24.9.0', '100.0.0'])('accepts Node.js %s', version => {
    expect(nodeProblem(version)).toBeUndefined();
  });

  test('names the version that package.json requires', () => {
    expect(`>=${/\d+\.\d+/.exec(nodeProblem('1.0.0') ?? '')?.[0]}`).toBe(engines.node);
  });
});
