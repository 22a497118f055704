/** What a service's model says of a value in its answers. */
export type Shape =
  | {
      readonly kind: 'structure';
      readonly members: { readonly [name: string]: Part };
      readonly required: readonly string[];
    }
  | { readonly kind: 'list'; readonly item: Part }
  | { readonly kind: 'map'; readonly value: Part }
  | ({ readonly kind: 'text'; readonly values?: readonly string[] } & Bounds)
  | ({ readonly kind: 'number' } & Bounds)
  | { readonly kind: 'boolean' };

/** A shape within another one; a function where shapes refer to themselves. */
export type Part = Shape | (() => Shape);

/** Of a number, or of the characters of a text. */
interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

/** Any text; also a time or bytes, which Step Functions shows as text. */
export const STRING: Shape = { kind: 'text' };
/** Any number. */
export const NUMBER: Shape = { kind: 'number' };
/** True or false. */
export const BOOLEAN: Shape = { kind: 'boolean' };

/** A text of some length. */
export function text(bounds: Bounds): Shape {
  return { kind: 'text', ...bounds };
}

/** One of these texts. */
export function oneOf(...values: readonly string[]): Shape {
  return { kind: 'text', values };
}

/** A number in a range. */
export function number(bounds: Bounds): Shape {
  return { kind: 'number', ...bounds };
}

/** A list of values of one shape. */
export function list(item: Part): Shape {
  return { kind: 'list', item };
}

/** Values of one shape by names of any kind. */
export function map(value: Part): Shape {
  return { kind: 'map', value };
}

/** Named members, some of which an answer always has. */
export function structure(
  members: { readonly [name: string]: Part },
  required: readonly string[] = [],
): Shape & { readonly kind: 'structure' } {
  return { kind: 'structure', members, required };
}
