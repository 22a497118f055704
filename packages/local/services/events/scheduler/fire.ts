import type { Environment } from '../../local-service';
import type { Publication } from '../buses';
import { scheduledEvent } from '../event';
import type { RuleDeliveries } from '../rule-deliveries';
import type { Schedule } from '../schedules';
import type { ScheduleSpec } from './cloudformation';
import { compileScheduler } from './expression';

export interface FiringOptions extends Environment {
  readonly deliveries: Pick<RuleDeliveries, 'deliver'>;
  readonly newId: () => string;
}

/** A schedule ready to fire, or what is wrong with it. */
export function readySchedule(
  spec: ScheduleSpec,
  options: FiringOptions,
): Schedule | { readonly problem: string } {
  const { arn, name, enabled } = spec;
  const compiled = compileScheduler(spec);
  if (compiled.kind === 'invalid') return { problem: compiled.message };
  return { arn, name, enabled, next: compiled.next, fire: time => fire(spec, time, options) };
}

/** Hands the target its input as of a time. A flexible time window is not waited for: it fires as it opens. */
async function fire(
  { arn, name, target }: ScheduleSpec,
  time: number,
  options: FiringOptions,
): Promise<Publication> {
  const { deliveries, ...origin } = options;
  // By what it is known until it has ended.
  const event = { ...scheduledEvent(arn, { ...origin, now: time }), source: 'aws.scheduler' };
  const input = withAttributes(target.input ?? '{}', {
    'schedule-arn': arn,
    'scheduled-time': event.time,
    'execution-id': event.id,
    'attempt-number': '1',
  });
  const to = { rule: name, targetId: target.id, targetArn: target.arn };
  try {
    const answer = await deliveries.deliver(target, input, event, { arn, name });
    return { matchedRules: [name], deliveries: [{ ...to, kind: 'delivered', answer }] };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { matchedRules: [name], deliveries: [{ ...to, kind: 'failed', reason }] };
  }
}

/** Puts the values of `<aws.scheduler.…>` in. */
function withAttributes(input: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce(
    (text, [name, value]) => text.replaceAll(`<aws.scheduler.${name}>`, value),
    input,
  );
}
