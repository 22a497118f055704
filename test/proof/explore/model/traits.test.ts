import { readFileSync } from 'node:fs';
import path from 'node:path';
import { statesOf } from '../../../../proof/explore/model/definition-states';
import { settingsIn, traitsOf } from '../../../../proof/explore/model/traits';

const NONE = {
  isExpress: false,
  isFragment: false,
  isAtMostOnce: false,
  isChain: false,
  returnsStoredFailure: false,
  stepRetries: 0,
  chainRetries: 0,
  sendsFailures: false,
  sendsRejections: false,
  sendsResults: false,
  storesResults: false,
  waitMs: undefined,
  maxRedrives: undefined,
  retentionSeconds: 90 * 24 * 3600,
  failedRetentionSeconds: 90 * 24 * 3600,
};

function traitsOfGolden(name: string) {
  const file = path.join(__dirname, `../../../golden/${name}.asl.json`);
  const json = JSON.parse(readFileSync(file, 'utf8'));
  const read = settingsIn(json);
  if (read.kind === 'problem') throw new Error(read.message);
  return traitsOf(statesOf(json), read.settings);
}

describe('the traits of a definition', () => {
  test.each([
    ['minimal', NONE],
    ['express', { ...NONE, isExpress: true }],
    ['on-failure', { ...NONE, isAtMostOnce: true, sendsFailures: true, sendsRejections: true }],
    ['waits-at-most-once', { ...NONE, isAtMostOnce: true, returnsStoredFailure: true, waitMs: 300_000 }],
  ])('%s: %j', (name, traits) => {
    expect(traitsOfGolden(name)).toEqual(traits);
  });
});
