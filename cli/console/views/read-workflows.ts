import type { CostView, PlaceView } from '@onceflow/console';
import { costInTime, executionsCostInWords, HISTORIES_MAX } from '../../key/list/executions-cost';
import { Rejection } from '../../program/rejection';
import { type AskedRange, DAY_MS, rangeAt } from '../../time-range';
import { accessTo, allAccesses, itemOf, type Place } from '../place';

/**
 * What the executions of a workflow, or of all, have cost that began in the time, by default in the last day.
 *
 * @throws Rejection
 */
export async function readCost(place: Place, name: string | undefined, asked: AskedRange): Promise<CostView> {
  const accesses = name === undefined ? await allAccesses(place) : [await accessTo(place, name)];
  const range = rangeAt(place.aws.time.now(), { ...asked, since: asked.since ?? { ago: DAY_MS } });
  const costs = [];
  // One after the other: each takes a good part of the account's quota.
  for (const access of accesses) {
    const sample = Math.max(1, Math.floor(HISTORIES_MAX / accesses.length));
    const search = { range, sample, progress: () => undefined };
    const words = await costInTime(access, search).then(executionsCostInWords, (error: unknown) => {
      if (error instanceof Rejection) return `unknown: ${error.message}`;
      throw error;
    });
    costs.push({ workflow: access.workflow.name, words });
  }
  return { costs };
}

/** The workflows of the place. @throws Rejection */
export async function readPlace(place: Place): Promise<PlaceView> {
  const { where, isLocal } = place;
  const workflows = (await allAccesses(place)).map(({ workflow }) => itemOf(workflow));
  return { where, isLocal, workflows };
}
