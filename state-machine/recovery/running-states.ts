import type { Construct } from 'constructs';
import { expression } from '../contract/jsonata';
import { SEARCH_STATE } from '../contract/state-names';
import { HALF_AN_HOUR, retriesOf } from '../tasks/retries';
import { ServiceTask } from '../tasks/service-task';
import { SfnTask } from '../tasks/sfn-task';
import { PAGE_SIZE, type SearchSettings } from './search-states';

// The variables behind those of a search. `running` has the lists of running executions, and `runningAt` the list that
// is being read. `runningToken` is its next page, or empty, and `runningPages` counts the pages. `oldest` is the start
// of the longest running execution, in epoch milliseconds: the search itself if nothing runs.

/** The metric of the age of the oldest unfinished key, in seconds. */
export const OLDEST_UNFINISHED = 'OldestUnfinished';

/**
 * Reads one page of running executions, the latest start first, so that the last of them is the oldest. If more
 * executions run than the pages hold, the age is that of the oldest on them: too low, and never too high.
 */
export function listWhatIsRunning(scope: Construct): SfnTask {
  const request =
    `$merge([$running[$runningAt], {'StatusFilter': 'RUNNING', 'MaxResults': ${PAGE_SIZE}}, ` +
    "$runningToken = '' ? {} : {'NextToken': $runningToken}])";
  const hasMore = '$exists($states.result.NextToken)';
  const task = new SfnTask(scope, SEARCH_STATE.listRunning, {
    comment: 'Running executions are unfinished: an execution, or the recovery of an ended one',
    operation: 'listExecutions',
    request: expression(request),
    assign: {
      oldest: expression('$min([$oldest, $toMillis($states.result.Executions[-1].StartDate)])'),
      runningToken: expression(`${hasMore} ? $states.result.NextToken : ''`),
      runningPages: expression('$runningPages + 1'),
      runningAt: expression(`${hasMore} ? $runningAt : $runningAt + 1`),
    },
    outputs: {},
  });
  task.addRetry(PATIENTLY);
  return task;
}

/** The variables before the first page is read. Few recoveries run: their list is read first. */
export function nothingReadYet({ stateMachineArn, recoveryArn }: SearchSettings) {
  return {
    running: [{ StateMachineArn: recoveryArn }, { StateMachineArn: stateMachineArn }],
    runningAt: 0,
    runningToken: expression("''"),
    runningPages: 0,
    oldest: expression(BEGAN),
  };
}

/** Puts the age of the oldest unfinished key, 0 where nothing runs, as a metric of `metricNamespace`. */
export function publishTheAge(scope: Construct, metricNamespace: string): ServiceTask {
  const age = `(${BEGAN} - $oldest) / 1000`;
  const metric = { MetricName: OLDEST_UNFINISHED, Unit: 'Seconds', Value: expression(age) };
  const task = new ServiceTask(scope, SEARCH_STATE.publish, {
    comment: 'For how long has the oldest of them been unfinished? An alarm goes by it',
    integration: 'aws-sdk:cloudwatch:putMetricData',
    request: { Namespace: metricNamespace, MetricData: [metric] },
    outputs: {},
  });
  task.addRetry(PATIENTLY);
  return task;
}

const BEGAN = '$toMillis($states.context.Execution.StartTime)';

/** If it cannot be read for so long, the search fails, and the next one reads it. */
const PATIENTLY = retriesOf(HALF_AN_HOUR);
