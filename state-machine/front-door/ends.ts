import { Choice, type State } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { when } from '../choice';
import { expression } from '../contract/jsonata';
import { FRONT_DOOR_STATE } from '../contract/state-names';
import { IS_POINTER } from '../contract/stored-result';
import { differingFields } from '../jsonata/kept-payload';
import { PASS_INPUT_ON } from '../settings';
import { DATA_TOO_LONG, OWNER_UNKNOWN } from '../tasks/aws-error-names';
import { evaluate } from '../tasks/evaluate';
import * as answers from './answers';
import type { FrontDoorProps } from './front-door-props';
import { OBJECT_UNUSABLE, readOwnersEnd, readStoredResult, retryBriefly } from './front-door-states';
import { PROBLEM } from './problems';

export interface Ends {
  readonly problems: Readonly<Record<keyof typeof PROBLEM, State>>;
  /** The end of a request whose outcome is not known yet: 202, or 503 of an Express workflow. */
  readonly accepted: State;
  /** Answers with the result whose text is in the variable `text`. */
  readonly result: State;
  /** Reads the object that the record names; undefined where the workflow has no bucket for results. */
  readonly readStored: State | undefined;
  /** Finds the output of the owner for a record that does not hold the result. */
  readonly readOwner: State;
  /** The next state after an owner that has not ended, and whose record is finished. */
  whileOwnerEnds(next: State): void;
}

export function defineEnds(scope: Construct, props: FrontDoorProps): Ends {
  const { problemType } = props;
  const { stepFailed, payloadMismatch, invalidPayload, inProgress, outcomeUnknown, ...others } = PROBLEM;
  const names = Object.keys(others) as (keyof typeof others)[];
  const rejections = names.map(name => [
    name,
    answers.problemAnswer(scope, FRONT_DOOR_STATE[name], others[name], problemType),
  ]) as [keyof typeof others, State][];
  const problems = {
    ...(Object.fromEntries(rejections) as Record<keyof typeof others, State>),
    invalidPayload: answers.problemAnswerOfPayload(scope, problemType),
    payloadMismatch: mismatch(scope, props),
    stepFailed: answers.stepFailed(scope, props),
    inProgress: answers.inProgress(scope, props),
    outcomeUnknown: answers.outcomeUnknown(scope, problemType),
  };
  const accepted = props.isExpress ? problems.outcomeUnknown : answers.accepted(scope, props);
  const result = answerResult(scope, props, problems.resultUnavailable);

  const readStored = props.results && readStoredResult(scope, props, props.results);
  readStored?.addCatch(problems.resultUnavailable, { errors: OBJECT_UNUSABLE });
  // Not reached in time, it may be there.
  readStored?.addCatch(accepted, { outputs: PASS_INPUT_ON });
  readStored?.next(result);

  const isThere = Choice.jsonata(scope, FRONT_DOOR_STATE.isOutputThere, {
    comment: 'The record is finished a moment before its execution is',
  });
  when(isThere, 'It is', "$not($text = '')", result);
  isThere.otherwise(problems.resultUnavailable);
  return {
    problems,
    accepted,
    result,
    readStored,
    // An Express execution cannot be described: its call has answered with the output, or the output is lost.
    readOwner: props.isExpress ? isThere : readingOwner(scope, problems.resultUnavailable, accepted, isThere),
    // Without a read at once: each would ask about the owner, too, and the account has few of those calls.
    whileOwnerEnds: next =>
      when(isThere, 'Not yet', "$ownerStatus in ['RUNNING', 'PENDING_REDRIVE']", next, {
        assign: { reads: props.readsAtOnce },
      }),
  };
}

function readingOwner(scope: Construct, unknown: State, accepted: State, isThere: State): State {
  const readOwner = readOwnersEnd(scope);
  retryBriefly(readOwner, 1);
  readOwner.addCatch(unknown, { errors: [...OWNER_UNKNOWN, DATA_TOO_LONG] });
  // All of the account share the calls of DescribeExecution: throttled, it says nothing of the result.
  readOwner.addCatch(accepted, { outputs: PASS_INPUT_ON });
  readOwner.next(isThere);
  return readOwner;
}

function mismatch(scope: Construct, { keptPayload, problemType }: FrontDoorProps): State {
  if (keptPayload === undefined) {
    const { payloadMismatch } = PROBLEM;
    return answers.problemAnswer(scope, FRONT_DOOR_STATE.payloadMismatch, payloadMismatch, problemType);
  }
  const end = answers.problemAnswerOfMismatch(scope, problemType);
  const name = evaluate(scope, FRONT_DOOR_STATE.nameFields, {
    comment: 'Names, and no values; where they are not known, none',
    steps: [{ outputs: expression(`$string(${differingFields(keptPayload)})`) }],
    assign: { differing: expression('$states.result[0]') },
  });
  name.addCatch(end);
  name.next(end);
  return name;
}

function answerResult(scope: Construct, { response }: FrontDoorProps, tooLong: State): State {
  const end = answers.result(scope, response !== undefined);
  const fits = Choice.jsonata(scope, FRONT_DOOR_STATE.doesItFit, {
    comment: 'An execution ends with 256 KiB at most',
  });
  const isShort = answers.fits(response ? '$states.input.body' : '$text');
  if (!response) when(fits, 'It is elsewhere', IS_POINTER, tooLong);
  when(fits, 'It does', isShort, end, { outputs: PASS_INPUT_ON });
  fits.otherwise(tooLong);
  if (!response) return fits;
  const map = evaluate(scope, FRONT_DOOR_STATE.mapResult, {
    comment: 'The app says what is answered: the same for every duplicate',
    steps: [{ outputs: answers.mappedAnswer(response) }],
    outputs: expression('$states.result[0]'),
  });
  map.addCatch(tooLong);
  map.next(fits);
  return map;
}
