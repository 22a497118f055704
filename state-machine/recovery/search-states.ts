import { Duration } from 'aws-cdk-lib';
import { Succeed } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { bothSpellings } from '../contract/error-names';
import { expression, literal } from '../contract/jsonata';
import { SEARCH_STATE } from '../contract/state-names';
import { NAME_TAKEN_SDK } from '../tasks/aws-error-names';
import { HALF_AN_HOUR, retriesOf, retryForHours } from '../tasks/retries';
import { SfnTask } from '../tasks/sfn-task';

// The variables of a search. `since`, epoch milliseconds, is the start of its period. `searches` has the lists, and
// `at` the list that is being read. `nextToken` is its next page, or empty, and `pages` counts all pages. `found` has
// the executions of the last page that may have been interrupted.

export interface SearchSettings {
  /** The workflow whose executions are recovered. */
  readonly stateMachineArn: string;
  /** The state machine that recovers one execution. */
  readonly recoveryArn: string;
  /** State machines whose executions are recovered as well, by their ARNs: the workflow has had them before. */
  readonly formerArns?: readonly string[];
  /** The namespace of the metric for the age of the oldest unfinished key. @default - it is not looked for */
  readonly metricNamespace?: string;
}

/** Executions on one page: their descriptions, of a thousand bytes at most, fit into 256 KiB. */
export const PAGE_SIZE = 250;

/** What fails more quickly than this was rejected. What gives up before its step has tried for minutes. */
const REJECTED_WITHIN = Duration.seconds(10);

/** The first search looks so far back. */
const FIRST_SEARCH = Duration.days(1);

/** Lists are eventually consistent: each search looks so much further back than the last one began. */
const OVERLAP = Duration.minutes(5);

/** Finds out how far back to look: to the beginning of the last search that came to its end. Assigns `more` as well. */
export function findTheLastSearch(
  scope: Construct,
  { stateMachineArn, recoveryArn, formerArns = [] }: SearchSettings,
  more: Readonly<Record<string, unknown>>,
): SfnTask {
  const last = '$states.result.Executions[0].StartDate';
  const searched = [stateMachineArn, ...formerArns];
  const listsOf = (StatusFilter: string) =>
    searched.map(StateMachineArn => ({ StateMachineArn, StatusFilter }));
  const task = new SfnTask(scope, SEARCH_STATE.findLastSearch, {
    comment: 'Goes back to where the last search began that came to its end',
    operation: 'listExecutions',
    request: {
      StateMachineArn: expression('$states.context.StateMachine.Id'),
      StatusFilter: 'SUCCEEDED',
      MaxResults: 1,
    },
    assign: {
      since: expression(
        `$exists(${last}) ? $toMillis(${last}) - ${OVERLAP.toMilliseconds()} ` +
          `: $millis() - ${FIRST_SEARCH.toMilliseconds()}`,
      ),
      // Rejected duplicates are among those that have failed: these come last, as they may be many.
      searches: [
        ...listsOf('ABORTED'),
        ...listsOf('TIMED_OUT'),
        { StateMachineArn: recoveryArn, StatusFilter: 'ABORTED' },
        ...listsOf('FAILED'),
      ],
      at: 0,
      pages: 0,
      nextToken: expression("''"),
      found: [],
      ...more,
    },
    outputs: {},
  });
  retryListing(task);
  return task;
}

/** Reads one page, the latest end first, and keeps of it what may have been interrupted. */
export function listWhatHasEnded(scope: Construct, { formerArns = [] }: SearchSettings): SfnTask {
  const request =
    `$merge([$searches[$at], {'MaxResults': ${PAGE_SIZE}}, ` +
    "$nextToken = '' ? {} : {'NextToken': $nextToken}])";
  const task = new SfnTask(scope, SEARCH_STATE.list, {
    comment: 'Executions that ended since then, except those that failed as quickly as a rejected duplicate',
    operation: 'listExecutions',
    request: expression(request),
    assign: {
      found: expression(`[$states.result.Executions[${HAS_ENDED_SINCE} and ${MAY_HAVE_DIED}].${WHICH}]`),
      nextToken: expression(`${HAS_MORE} ? $states.result.NextToken : ''`),
      pages: expression('$pages + 1'),
      at: expression(`${HAS_MORE} ? $at : $at + 1`),
    },
    outputs: {},
  });
  if (formerArns.length > 0) task.addRetry({ errors: [...NOT_THERE], maxAttempts: 0 });
  retryListing(task);
  return task;
}

/** A state machine that the workflow has had before may be deleted by now, or have been an Express one. */
export const NOT_THERE = [
  ...bothSpellings('Sfn.StateMachineDoesNotExist'),
  ...bothSpellings('Sfn.StateMachineTypeNotSupported'),
];

/** The variables when a list was left out. */
export const LIST_LEFT_OUT = {
  found: [],
  nextToken: expression("''"),
  pages: expression('$pages + 1'),
  at: expression('$at + 1'),
};

/** Hands a page of them to recovery, which has a history of its own for each. */
export function recoverThose(scope: Construct, { stateMachineArn, recoveryArn }: SearchSettings): SfnTask {
  const page = "$states.context.Execution.Id & '#' & $string($pages)";
  const task = new SfnTask(scope, SEARCH_STATE.recover, {
    comment: 'Recovery checks each execution: most of them need nothing',
    operation: 'startExecution',
    request: {
      StateMachineArn: recoveryArn,
      Name: expression(`$substring($hash(${page}, 'SHA-256'), 0, 32)`),
      Input: expression(`$string({'executions': $found, 'workflowArn': ${literal(stateMachineArn)}})`),
    },
    assign: NONE_FOUND,
    outputs: {},
  });
  retryForHours(task, [...NAME_TAKEN_SDK]);
  return task;
}

/** The variables when those found have been handed over. */
export const NONE_FOUND = { found: [] };

/** The end of a search: the next one begins where this one began. */
export function searched(scope: Construct): Succeed {
  return Succeed.jsonata(scope, SEARCH_STATE.searched, {
    comment: 'The next search goes back to where this one began',
    outputs: {},
  });
}

/** A search that cannot read the lists ends: the next one goes back as far. */
function retryListing(task: SfnTask): void {
  task.addRetry(retriesOf(HALF_AN_HOUR));
}

const HAS_ENDED_SINCE = '$toMillis(StopDate) >= $since';
const MAY_HAVE_DIED =
  `($not(Status = ${literal('FAILED')}) or ` +
  `$toMillis(StopDate) - $toMillis(StartDate) >= ${REJECTED_WITHIN.toMilliseconds()})`;
const WHICH = "{'executionArn': ExecutionArn, 'stopDate': StopDate, 'redriveCount': RedriveCount}";
const OLDEST = '$states.result.Executions[-1].StopDate';
// A page may be empty, and not the last one.
const IS_OLD = `($exists(${OLDEST}) and $toMillis(${OLDEST}) < $since)`;
const HAS_MORE = `($exists($states.result.NextToken) and $not(${IS_OLD}))`;
