import type { Json } from '../../../json/json';

/** One thing wrong with an event pattern: where, as a path from `$`, and what, in AWS's words where AWS has some. */
export interface PatternProblem {
  readonly path: string;
  readonly message: string;
}

/** A value an event field can have once objects and arrays are taken apart. */
export type Scalar = null | boolean | number | string;

/** True for a value that is neither an object nor an array. */
export function isScalar(value: Json): value is Scalar {
  return value === null || typeof value !== 'object';
}

/** Decides one scalar of an event. */
export type ValueTest = (value: Scalar) => boolean;

/**
 * A position in a pattern, as the compiler goes through it.
 *
 * `problem` notes a problem there and returns `undefined`, so that a parser can give up and say why in one
 * statement; the compiler goes on with the next position, and all problems are reported together.
 */
export interface PatternPosition {
  problem(message: string): undefined;
  /** The position one step further in: a member of an object, or an element of an array. */
  inside(step: string | number): PatternPosition;
}

/** The root of a pattern. Every problem noted there or further in is appended to `problems`. */
export function patternRoot(problems: PatternProblem[]): PatternPosition {
  return positionAt('$', problems);
}

function positionAt(path: string, problems: PatternProblem[]): PatternPosition {
  return {
    problem(message) {
      problems.push({ path, message });
    },
    inside(step) {
      return positionAt(typeof step === 'number' ? `${path}[${step}]` : `${path}.${step}`, problems);
    },
  };
}
