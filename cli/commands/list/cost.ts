import { costOfKeys, HISTORIES_MAX } from '../../key/list/executions-cost';
import { Rejection } from '../../program/rejection';
import { type AskedRange, rangeAt } from '../../time-range';
import type { Entry, Found } from './tables';

/** The found keys of each kind, with the cost of the executions of the shown keys. */
export function priced(
  found: readonly Found[],
  shown: readonly Entry[],
  asked: AskedRange,
): Promise<Found[]> {
  return Promise.all(
    found.map(async one => {
      const { aws, workflow, terminal } = one.context;
      const own = shown.filter(({ context }) => context === one.context);
      const recordKeys = own.map(entry => ('record' in entry ? entry.record : entry.execution).recordKey);
      const texts = recordKeys.flatMap(recordKey => recordKey?.slice(workflow.scope.length + 1) ?? []);
      const executionArns = own.map(entry =>
        'record' in entry ? entry.record.owner : entry.execution.executionArn,
      );
      const within = rangeAt(aws.time.now(), asked);
      const search = { range: within, sample: HISTORIES_MAX, progress: terminal.progress };
      try {
        return { ...one, price: await costOfKeys(one.context, { texts, executionArns }, search) };
      } catch (error) {
        if (error instanceof Rejection) return { ...one, price: { unknown: error.message } };
        throw error;
      }
    }),
  );
}
