import {
  type Choice,
  type ChoiceTransitionOptions,
  Condition,
  type IChainable,
  type State,
} from 'aws-cdk-lib/aws-stepfunctions';
import { toJsonata } from './contract/condition-text';
import { expression } from './contract/jsonata';
import { OTHERWISE, type Rule } from './contract/judgement';

/**
 * Adds a rule to a Choice: the first whose JSONata condition is true decides. Its name is its comment. Rules that
 * something else judges by, too, are rows: see {@link decide}. Only the front door's are written here.
 */
export function when(
  choice: Choice,
  name: string,
  jsonata: string,
  next: IChainable,
  options?: ChoiceTransitionOptions,
): void {
  choice.when(Condition.jsonata(expression(jsonata)), next, { comment: name, ...options });
}

/** Where the verdicts of a judgement lead; undefined: no rule of this variant gives the verdict. */
export type Targets<Verdict extends string> = Readonly<Record<Verdict, (() => State) | undefined>>;

/** Adds the rules of a judgement to a Choice, each leading where its verdict does. */
export function decide<Verdict extends string>(
  choice: Choice,
  rules: readonly Rule<Verdict>[],
  targets: Targets<Verdict>,
  options?: Readonly<Partial<Record<Verdict, ChoiceTransitionOptions>>>,
): void {
  for (const [index, { name, when: condition, verdict }] of rules.entries()) {
    // A Choice has its Default behind all rules, wherever that is added.
    if ((condition === OTHERWISE) !== (index === rules.length - 1)) {
      throw new Error(`the rule "${name}" is not where it decides: the last one, and no other, always holds`);
    }
    const target = targets[verdict];
    if (!target) throw new Error(`the rule "${name}" leads nowhere`);
    const changes = options?.[verdict];
    // A Default assigns nothing, so what does is a rule before it.
    if (condition !== OTHERWISE || changes) when(choice, name, toJsonata(condition), target(), changes);
    if (condition === OTHERWISE) choice.otherwise(target());
  }
}
