import {
  type Choice,
  type ChoiceTransitionOptions,
  Condition,
  type IChainable,
} from 'aws-cdk-lib/aws-stepfunctions';
import { expression } from '../expressions/jsonata';

/** Adds a rule to a Choice: the first whose JSONata condition is true decides. */
export function when(
  choice: Choice,
  jsonata: string,
  next: IChainable,
  options?: ChoiceTransitionOptions,
): void {
  choice.when(Condition.jsonata(expression(jsonata)), next, options);
}

/** True where both are; each may be any condition. */
export function both(one: string, other: string): string {
  return `(${one}) and ${other}`;
}

/** True where one of two conditions without `and` is. */
export function either(one: string, other: string): string {
  return `${one} or ${other}`;
}

/** True where the condition is not. */
export function not(condition: string): string {
  return `$not(${condition})`;
}
