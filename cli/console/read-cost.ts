import type { CostView } from '@onceflow/console';
import { costInTime, executionsCostInWords } from '../key/executions-cost';
import { type AskedRange, rangeAt } from '../key/time-range';
import { Refusal } from '../program/refusal';
import { accessTo, allAccesses, type Place } from './read-views';

const DAY_MS = 24 * 3_600_000;
/** So many histories are read of a workflow. */
const SAMPLE = 200;

/**
 * What the executions of a workflow, or of all, have cost that began in the time, by default in the last day.
 *
 * @throws Refusal
 */
export async function readCost(place: Place, name: string | undefined, asked: AskedRange): Promise<CostView> {
  const accesses = name === undefined ? await allAccesses(place) : [await accessTo(place, name)];
  const range = rangeAt(place.aws.time.now(), { ...asked, since: asked.since ?? { ago: DAY_MS } });
  const costs = [];
  // One after the other: each takes a good part of the account's quota.
  for (const access of accesses) {
    const search = { range, sample: SAMPLE, progress: () => undefined };
    const words = await costInTime(access, search).then(executionsCostInWords, (error: unknown) => {
      if (error instanceof Refusal) return `unknown: ${error.message}`;
      throw error;
    });
    costs.push({ workflow: access.workflow.name, words });
  }
  return { costs };
}
