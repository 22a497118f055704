import { readFileSync } from 'node:fs';
import path from 'node:path';
import { explored, runs } from './scale';

describe.each([
  ['tests', 'ONCEFLOW_TEST_SCALE', runs],
  ['explorations', 'ONCEFLOW_EXPLORED', explored],
] as const)('the scale of %s', (_of, variable, count) => {
  const scale = process.env[variable];
  afterEach(() => {
    if (scale === undefined) delete process.env[variable];
    else process.env[variable] = scale;
  });

  test.each([
    ['small', 1],
    ['full', 2],
  ])('%s: %i of 1 and 2', (name, expected) => {
    process.env[variable] = name;

    expect(count(1, 2)).toBe(expected);
  });

  test('nothing said: small', () => {
    delete process.env[variable];

    expect(count(1, 2)).toBe(1);
  });

  test('something else: rejected', () => {
    process.env[variable] = 'huge';

    expect(() => count(1, 2)).toThrow(`${variable} is "small" or "full", got "huge"`);
  });
});

describe('the scale', () => {
  test('of the gate: small for all projects, full for the exploration that the documentation quotes', () => {
    const gate = readFileSync(path.join(__dirname, '../../.ci/run'), 'utf8');

    expect(gate).toMatch(/^counted npm test --$/m);
    expect(gate).toMatch(/^counted npm run test:all -- --selectProjects system proof$/m);
    expect(gate.match(/\bONCEFLOW_TEST_SCALE=[^"]*/g)).toEqual([
      "ONCEFLOW_TEST_SCALE=full npx jest test/proof/explore/explore.test -t 'faults at any point'",
    ]);
  });
});
