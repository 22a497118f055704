import type { Json } from '../../asl/json';
import { type CompiledPattern, compilePattern } from './pattern';
import type { CompiledTargetInput, EventTarget } from './target';
import { compileTargetInput } from './target-input';

/** A rule of EventBridge, as a template declares it. */
export interface EventRule {
  readonly arn: string;
  readonly name: string;
  /** Name or ARN. */
  readonly eventBusName: string;
  /** JSON or its text. A rule without a pattern runs on a schedule; no event matches it. */
  readonly pattern?: Json;
  readonly enabled: boolean;
  readonly targets: readonly EventTarget[];
}

/** Why a rule, or a target of it, is left out. */
export interface RuleProblem {
  readonly rule: string;
  readonly message: string;
}

/** A target that can be served. */
export interface ReadyTarget {
  readonly target: EventTarget;
  readonly input: Extract<CompiledTargetInput, { readonly kind: 'target' }>;
}

/** A rule that can match. */
export interface ReadyRule {
  readonly arn: string;
  readonly name: string;
  readonly pattern: Extract<CompiledPattern, { readonly kind: 'pattern' }>;
  readonly targets: readonly ReadyTarget[];
}

/** The bus every account has. */
export const DEFAULT_BUS = 'default';

/** The name of a bus given by name or ARN. */
export function busName(nameOrArn: string): string {
  return nameOrArn.startsWith('arn:') ? nameOrArn.slice(nameOrArn.lastIndexOf('/') + 1) : nameOrArn;
}

/**
 * Sorts `rules` by bus, compiled, in the order given.
 *
 * Disabled and scheduled rules are left out silently; rules and targets that cannot work are left out with a problem
 * each, so that one mistake in a template does not take the other rules down.
 */
export function rulesByBus(
  buses: readonly string[],
  rules: readonly EventRule[],
): {
  readonly byBus: ReadonlyMap<string, readonly ReadyRule[]>;
  readonly problems: readonly RuleProblem[];
} {
  const byBus = new Map<string, ReadyRule[]>([DEFAULT_BUS, ...buses].map(name => [busName(name), []]));
  const problems: RuleProblem[] = [];
  for (const rule of rules) {
    const bus = byBus.get(busName(rule.eventBusName));
    if (bus === undefined) {
      const message = `The event bus ${rule.eventBusName} does not exist; known: ${[...byBus.keys()].join(', ')}`;
      problems.push({ rule: rule.name, message });
      continue;
    }
    const ready = readyRule(rule, message => problems.push({ rule: rule.name, message }));
    if (ready) bus.push(ready);
  }
  return { byBus, problems };
}

function readyRule(rule: EventRule, report: (message: string) => void): ReadyRule | undefined {
  if (rule.pattern === undefined) return undefined;
  const pattern = compilePattern(rule.pattern);
  if (pattern.kind === 'invalid') {
    for (const { path, message } of pattern.problems)
      report(`Event pattern is not valid. Reason: ${message} (at ${path})`);
  }
  const targets = rule.targets.flatMap(target => readyTarget(target, report));
  if (!rule.enabled || pattern.kind === 'invalid') return undefined;
  return { arn: rule.arn, name: rule.name, pattern, targets };
}

function readyTarget(target: EventTarget, report: (message: string) => void): readonly ReadyTarget[] {
  const input = compileTargetInput(target);
  if (input.kind === 'target') return [{ target, input }];
  for (const problem of input.problems) report(problem);
  return [];
}
