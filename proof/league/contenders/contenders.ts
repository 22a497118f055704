import { installBaseline, POWERTOOLS } from '../../bench/baseline-package';
import { AWS_SAMPLES } from './aws-samples';
import { BY_NAME } from './by-name';
import type { Contender } from './contender';
import { ONCEFLOW } from './onceflow';
import { FIFO, INSERT_FIRST, LOCK_FOREVER, LOCK_LEASE, LOCK_TTL, NONE, READ_THEN_WRITE } from './plain';
import { powertools } from './powertools';

/** What could be compared, and is not, with the reason. */
export interface NotRun {
  readonly what: string;
  readonly why: string;
}

/** Those who take part, in the order of the table, and those who cannot. */
export interface Field {
  readonly contenders: readonly Contender[];
  readonly notRun: readonly NotRun[];
}

const DURABLE: NotRun = {
  what: 'Lambda durable functions, by execution name',
  why:
    'their testing package (@aws/durable-execution-sdk-js-testing 1.1.4) runs one execution of a handler, and has no ' +
    'execution names, by which the service tells duplicates',
};

/** All contenders. Powertools is installed from npm into the user's cache directory the first time. */
export async function field(): Promise<Field> {
  const baseline = await installBaseline(POWERTOOLS);
  const guards = baseline.kind === 'installed' ? powertools(baseline.folder, POWERTOOLS.version) : [];
  const missing =
    baseline.kind === 'missing' ? [{ what: 'Powertools idempotency', why: baseline.reason }] : [];
  return {
    contenders: [
      NONE,
      FIFO,
      BY_NAME,
      READ_THEN_WRITE,
      INSERT_FIRST,
      LOCK_FOREVER,
      LOCK_TTL,
      LOCK_LEASE,
      ...guards,
      AWS_SAMPLES,
      ...ONCEFLOW,
    ],
    notRun: [...missing, DURABLE],
  };
}
