import type { Json } from '../../json/json';
import { type CompiledPattern, compilePattern } from './pattern/pattern';
import { type CompiledSchedule, compileSchedule } from './schedule';
import type { CompiledTargetInput, EventTarget } from './target/target';
import { compileTargetInput } from './target/target-input';

/** A rule of EventBridge, as a template declares it. */
export interface EventRule {
  readonly arn: string;
  readonly name: string;
  /** Name or ARN. */
  readonly eventBusName: string;
  /** JSON or its text. A rule without a pattern runs on a schedule; no event matches it. */
  readonly pattern?: Json;
  /** When the rule fires on a schedule: `rate(5 minutes)` or `cron(0 8 * * ? *)`, in UTC. */
  readonly schedule?: string;
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

/** A rule that fires on a schedule. */
export interface ScheduledRule {
  readonly arn: string;
  readonly name: string;
  /** A disabled rule never has its time. */
  readonly enabled: boolean;
  readonly schedule: Extract<CompiledSchedule, { readonly kind: 'schedule' }>;
  readonly targets: readonly ReadyTarget[];
}

/** The bus every account has. */
export const DEFAULT_BUS = 'default';

/** The name of a bus given by name or ARN. */
export function busName(nameOrArn: string): string {
  // The name of a partner's bus has slashes of its own.
  return nameOrArn.replace(/^arn:[^/]*:event-bus\//, '');
}

/** Rules ready to match or to fire, and why others are not. */
export interface SortedRules {
  readonly byBus: ReadonlyMap<string, readonly ReadyRule[]>;
  readonly scheduled: readonly ScheduledRule[];
  readonly problems: readonly RuleProblem[];
}

/**
 * Sorts `rules` by bus, compiled, in the order given; those that fire by themselves are listed, too.
 *
 * Disabled rules match nothing; rules and targets that cannot work are left out with a problem each, so that one
 * mistake in a template does not take the other rules down.
 */
export function sortRules(buses: readonly string[], rules: readonly EventRule[]): SortedRules {
  const byBus = new Map<string, ReadyRule[]>([DEFAULT_BUS, ...buses].map(name => [busName(name), []]));
  const problems: RuleProblem[] = [];
  const scheduled: ScheduledRule[] = [];
  for (const rule of rules) {
    const report = (message: string) => problems.push({ rule: rule.name, message });
    const bus = byBus.get(busName(rule.eventBusName));
    if (bus === undefined) {
      report(`The event bus ${rule.eventBusName} does not exist; known: ${[...byBus.keys()].join(', ')}`);
      continue;
    }
    const targets = rule.targets.flatMap(target => readyTarget(target, report));
    const ready = readyRule(rule, targets, report);
    if (ready) bus.push(ready);
    const firing = scheduledRule(rule, targets, report);
    if (firing) scheduled.push(firing);
  }
  return { byBus, scheduled, problems };
}

type Report = (message: string) => void;

function readyRule(rule: EventRule, targets: readonly ReadyTarget[], report: Report): ReadyRule | undefined {
  if (rule.pattern === undefined) return undefined;
  const pattern = compilePattern(rule.pattern);
  if (pattern.kind === 'invalid') {
    for (const { path, message } of pattern.problems)
      report(`Event pattern is not valid. Reason: ${message} (at ${path})`);
  }
  if (!rule.enabled || pattern.kind === 'invalid') return undefined;
  return { arn: rule.arn, name: rule.name, pattern, targets };
}

function scheduledRule(
  { arn, name, enabled, eventBusName, schedule: expression }: EventRule,
  targets: readonly ReadyTarget[],
  report: Report,
): ScheduledRule | undefined {
  if (expression === undefined) return undefined;
  const schedule = compileSchedule(expression);
  if (schedule.kind === 'invalid') {
    report(schedule.message);
    return undefined;
  }
  if (busName(eventBusName) === DEFAULT_BUS) return { arn, name, enabled, schedule, targets };
  report('ScheduleExpression is supported only on the default event bus.');
  return undefined;
}

function readyTarget(target: EventTarget, report: Report): readonly ReadyTarget[] {
  const input = compileTargetInput(target);
  if (input.kind === 'target') return [{ target, input }];
  for (const problem of input.problems) report(problem);
  return [];
}
