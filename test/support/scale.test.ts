import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runs } from './scale';

describe('the scale of tests', () => {
  const { ONCEFLOW_TEST_SCALE: scale } = process.env;
  afterEach(() => {
    if (scale === undefined) delete process.env['ONCEFLOW_TEST_SCALE'];
    else process.env['ONCEFLOW_TEST_SCALE'] = scale;
  });

  test.each([
    ['small', 1],
    ['full', 2],
  ])('%s: %i of 1 and 2', (name, count) => {
    process.env['ONCEFLOW_TEST_SCALE'] = name;

    expect(runs(1, 2)).toBe(count);
  });

  test('nothing said: small', () => {
    delete process.env['ONCEFLOW_TEST_SCALE'];

    expect(runs(1, 2)).toBe(1);
  });

  test('something else: refused', () => {
    process.env['ONCEFLOW_TEST_SCALE'] = 'huge';

    expect(() => runs(1, 2)).toThrow('ONCEFLOW_TEST_SCALE is "small" or "full", got "huge"');
  });

  test('of the gate: full, for all projects', () => {
    const gate = readFileSync(path.join(__dirname, '../../.ci/run'), 'utf8');

    const before = gate.slice(0, gate.indexOf('\nnpm test'));
    expect(before).toMatch(/^export ONCEFLOW_TEST_SCALE=full$/m);
    expect(gate.match(/^.*\bONCEFLOW_TEST_SCALE=.*$/gm)).toHaveLength(1);
    expect(gate).toMatch(/^npm test -- --json --outputFile="\$counts"$/m);
  });
});
