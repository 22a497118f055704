import type { ConnectionView, CostView } from '@onceflow/console';
import { costInTime, executionsCostInWords, HISTORIES_MAX } from '../../key/list/executions-cost';
import { Rejection } from '../../program/rejection';
import { type AskedRange, DAY_MS, rangeAt } from '../../time-range';
import { accessTo, allAccesses, type Connection, itemOf } from '../connection';

/**
 * What the executions of a workflow, or of all, have cost that began in the time, by default in the last day.
 *
 * @throws Rejection
 */
export async function readCost(
  connection: Connection,
  name: string | undefined,
  asked: AskedRange,
): Promise<CostView> {
  const accesses = name === undefined ? await allAccesses(connection) : [await accessTo(connection, name)];
  const range = rangeAt(connection.aws.time.now(), { ...asked, since: asked.since ?? { ago: DAY_MS } });
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

/** The workflows of the connection. @throws Rejection */
export async function readConnection(connection: Connection): Promise<ConnectionView> {
  const { where, isLocal } = connection;
  const workflows = (await allAccesses(connection)).map(({ workflow }) => itemOf(workflow));
  return { where, isLocal, workflows };
}
