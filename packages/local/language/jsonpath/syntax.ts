import type { Json } from '../../json/json';

/** The root of a path: `$` the state's input, `$$` the context object, `$name` a variable. */
export type Root =
  | { readonly kind: 'input' }
  | { readonly kind: 'context' }
  | { readonly kind: 'variable'; readonly name: string };

/** A path, taken apart. */
export interface Path {
  readonly root: Root;
  readonly steps: readonly Step[];
  /** It leads to one value, or to none; what is not definite leads to a list. */
  readonly isDefinite: boolean;
  /** A function of the value or of the list: `.length()`. */
  readonly then?: PathFunction;
}

/** One step of a path. */
export type Step =
  /** `.name`, `['name']`. */
  | { readonly kind: 'member'; readonly name: string }
  /** `['a','b']`: the last step makes an object of them, any other goes on with each. */
  | { readonly kind: 'members'; readonly names: readonly string[] }
  /** `[0]`, `[-1]`: a negative index counts from the end. */
  | { readonly kind: 'item'; readonly index: number }
  | { readonly kind: 'items'; readonly indices: readonly number[] }
  /** `[1:5]`, `[1:]`, `[:5]`. */
  | { readonly kind: 'slice'; readonly from?: number; readonly to?: number }
  /** `.*`, `[*]`. */
  | { readonly kind: 'wildcard' }
  /** `[?(...)]`. */
  | { readonly kind: 'filter'; readonly condition: Condition; readonly text: string }
  /** `..`: the step, taken from every value within. */
  | { readonly kind: 'descendants'; readonly step: Step };

/** The functions that may end a path. */
export const PATH_FUNCTIONS = ['length', 'min', 'max', 'avg', 'sum'] as const;

/** A function at the end of a path. */
export type PathFunction = (typeof PATH_FUNCTIONS)[number];

/** What a filter asks of an item. */
export type Condition =
  | { readonly kind: 'and' | 'or'; readonly conditions: readonly Condition[] }
  | { readonly kind: 'not'; readonly condition: Condition }
  | { readonly kind: 'exists'; readonly operand: PathOperand }
  | {
      readonly kind: 'comparison';
      readonly left: Operand;
      readonly operator: Operator;
      readonly right: Operand;
    };

/** A path in a filter: from the item (`@`) or from the root of the whole path (`$`). */
export interface PathOperand {
  readonly kind: 'path';
  readonly from: 'item' | 'root';
  readonly path: Path;
}

/** What a filter compares. */
export type Operand = PathOperand | { readonly kind: 'literal'; readonly value: Json };

/** The operators of filters, longer ones first. */
export const OPERATORS = [
  '==',
  '!=',
  '<=',
  '>=',
  '<',
  '>',
  'in',
  'nin',
  'contains',
  'size',
  'empty',
] as const;

/** An operator of a filter. */
export type Operator = (typeof OPERATORS)[number];

/** The path in one spelling, as failures name it: `$['a'][0][*]..['b']`, whatever its root. */
export function normalizedPath(steps: readonly Step[]): string {
  return `$${steps.map(stepText).join('')}`;
}

/** A step in the spelling of `normalizedPath`. */
export function stepText(step: Step): string {
  switch (step.kind) {
    case 'member':
      return `['${step.name}']`;
    case 'members':
      return `[${step.names.map(name => `'${name}'`).join(',')}]`;
    case 'item':
      return `[${step.index}]`;
    case 'items':
      return `[${step.indices.join(',')}]`;
    case 'slice':
      return `[${step.from ?? ''}:${step.to ?? ''}]`;
    case 'wildcard':
      return '[*]';
    case 'filter':
      return `[?${step.text}]`;
    case 'descendants':
      return `..${stepText(step.step)}`;
    default:
      return step satisfies never;
  }
}
