/** A piece of a template: text, a reference that is printed, or a directive with all that is in it. */
export type Piece =
  | string
  | Reference
  | { readonly type: 'set'; readonly target: Reference; readonly value: Expression }
  | { readonly type: 'if'; readonly branches: readonly Branch[] }
  | { readonly type: 'foreach'; readonly name: string; readonly over: Expression; readonly pieces: Pieces }
  | { readonly type: 'break' };

/** Pieces one after the other. */
export type Pieces = readonly Piece[];

/** The output if a condition holds and none did before; `#else` has no condition. */
export interface Branch {
  readonly condition?: Expression;
  readonly pieces: Pieces;
}

/** `$name` with the steps from there. */
export interface Reference {
  readonly type: 'reference';
  readonly name: string;
  readonly steps: readonly Step[];
}

/** A step from a value to another: a member, a method's answer, an item. */
export type Step =
  | { readonly type: 'member'; readonly name: string }
  | { readonly type: 'method'; readonly name: string; readonly args: readonly Expression[] }
  | { readonly type: 'item'; readonly at: Expression };

/** A node with a value. */
export type Expression =
  | Reference
  | { readonly type: 'constant'; readonly value: string | number | boolean }
  /** Text in double quotes, which is a template of its own. */
  | { readonly type: 'text'; readonly pieces: Pieces }
  | { readonly type: 'list'; readonly items: readonly Expression[] }
  | { readonly type: 'range'; readonly from: Expression; readonly to: Expression }
  | { readonly type: 'map'; readonly members: readonly (readonly [Expression, Expression])[] }
  | { readonly type: 'not'; readonly of: Expression }
  | {
      readonly type: 'operation';
      readonly operator: string;
      readonly left: Expression;
      readonly right: Expression;
    };

/** A template that has been parsed. */
export interface Template {
  readonly pieces: Pieces;
}
