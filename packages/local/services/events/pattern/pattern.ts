import { type Json, jsonOr } from '../../../json/json';
import { patternBranches } from './branches';
import { eventFields } from './event-fields';
import { matchesBranch } from './match-branch';
import { type PatternProblem, patternRoot } from './position';

/** An event pattern ready to match, or what is wrong with it. */
export type CompiledPattern =
  | { readonly kind: 'pattern'; matches(event: Json): boolean }
  | { readonly kind: 'invalid'; readonly problems: readonly PatternProblem[] };

/**
 * Compiles an EventBridge event pattern, given as JSON or as its text.
 *
 * All problems are collected, with the messages AWS gives (it stops at the first, and puts "Event pattern is not
 * valid. Reason: " before it). `matches` is pure and works on the whole event, `detail` and envelope alike.
 */
export function compilePattern(pattern: Json): CompiledPattern {
  const problems: PatternProblem[] = [];
  const root = patternRoot(problems);
  const parsed = typeof pattern === 'string' ? jsonOr(pattern, undefined) : pattern;
  if (parsed === undefined) root.problem('The pattern is not JSON');
  const branches = parsed === undefined ? [] : patternBranches(parsed, root);
  if (problems.length > 0) return { kind: 'invalid', problems };

  const paths = new Set(branches.flatMap(branch => [...branch.keys()]));
  return {
    kind: 'pattern',
    matches(event) {
      const fields = eventFields(event, paths);
      return branches.some(branch => matchesBranch(branch, fields));
    },
  };
}
