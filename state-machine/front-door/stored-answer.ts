import type { Choice } from 'aws-cdk-lib/aws-stepfunctions';
import { when } from '../choice';
import { all } from '../contract/condition';
import { toJsonata } from '../contract/condition-text';
import {
  HAS_RESULT_TEXT,
  HAS_STORED_RESULT,
  IS_COMPLETED,
  IS_FAILED,
  IS_HELD,
  IS_IN_DOUBT,
} from '../contract/conditions';
import { expression } from '../contract/jsonata';
import { RECORD } from '../contract/record';
import type { Ends } from './ends';
import type { FrontDoorProps } from './front-door-props';

/** Adds the rules for a record that has an answer for every request: its step has succeeded, or the record is held. */
export function storedAnswerRules(choice: Choice, props: FrontDoorProps, ends: Ends): void {
  const { problems } = ends;
  const text = { assign: { text: expression('$record.result.S') } };
  when(choice, 'Completed, with the result', HAS_TEXT, ends.result, text);
  if (ends.readStored) when(choice, 'Completed, in the bucket', IS_STORED, ends.readStored);
  when(choice, 'Completed', toJsonata(IS_COMPLETED), ends.readOwner);
  when(choice, 'Held, its result lost', IS_LOST, problems.resultUnavailable);
  when(choice, 'Held for review', toJsonata(IS_HELD), problems.inDoubt);
  if (props.isAtMostOnce) when(choice, 'In doubt', toJsonata(all(IS_FAILED, IS_IN_DOUBT)), problems.inDoubt);
}

const HAS_TEXT = toJsonata(all(IS_COMPLETED, HAS_RESULT_TEXT));
const IS_STORED = toJsonata(all(IS_COMPLETED, HAS_STORED_RESULT));
/** Its step has run, and its result cannot be returned. */
const IS_LOST = `${toJsonata(IS_HELD)} and $exists($record.${RECORD.finishedAt})`;
