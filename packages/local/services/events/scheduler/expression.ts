import { type CompiledSchedule, compileSchedule } from '../schedule';
import { type TimeZone, timeZone } from './time-zone';

/** When a schedule of EventBridge Scheduler fires. Dates are epoch milliseconds. */
export interface ScheduleTimes {
  /** `rate(5 minutes)`, `cron(0 8 * * ? *)` or `at(2026-12-24T18:00:00)`. */
  readonly expression: string;
  /** The zone of crons and of one-time schedules. @default UTC */
  readonly timeZone?: string;
  /** Nothing fires before it; a rate counts from it, and has it as its first time. */
  readonly startDate?: number;
  /** Nothing fires after it. */
  readonly endDate?: number;
}

/**
 * Compiles a schedule of EventBridge Scheduler. In its time zone a cron leaves a time out that the clocks leave out,
 * and fires once at a time that they show twice; a rate knows no zone.
 */
export function compileScheduler(times: ScheduleTimes): CompiledSchedule {
  const { expression, startDate, endDate } = times;
  const zone = timeZone(times.timeZone ?? 'UTC');
  if (!zone) return { kind: 'invalid', message: `Invalid Schedule Expression Timezone ${times.timeZone}.` };
  const [, dateTime] = /^at\((.*)\)$/.exec(expression.trim()) ?? [];
  const compiled =
    dateTime === undefined ? recurring(expression, zone) : oneTime(expression, dateTime.trim(), zone);
  if (compiled.kind === 'invalid' || (startDate ?? endDate) === undefined) return compiled;
  return {
    kind: 'schedule',
    next(after, origin) {
      const from = startDate === undefined ? after : Math.max(after, startDate - 1);
      const next = compiled.next(from, startDate ?? origin);
      return next === undefined || next > (endDate ?? Number.POSITIVE_INFINITY) ? undefined : next;
    },
  };
}

function recurring(expression: string, zone: TimeZone): CompiledSchedule {
  // Scheduler takes either form of a unit.
  const [, digits, unit] = /^rate\((\d+) +(minute|hour|day)s?\)$/.exec(expression.trim()) ?? [];
  if (digits !== undefined) {
    return compileSchedule(`rate(${Number(digits)} ${unit}${Number(digits) === 1 ? '' : 's'})`);
  }
  const compiled = compileSchedule(expression);
  if (compiled.kind === 'invalid') return compiled;
  return {
    kind: 'schedule',
    next(after, origin) {
      for (let wall: number | undefined = zone.wallTime(after); ; ) {
        wall = compiled.next(wall, origin);
        if (wall === undefined) return undefined;
        const instant = zone.instantOf(wall);
        // An hour that the clock shows for the second time has had its turn.
        if (instant !== undefined && instant > after) return instant;
      }
    },
  };
}

function oneTime(expression: string, dateTime: string, zone: TimeZone): CompiledSchedule {
  const wall = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(dateTime) ? Date.parse(`${dateTime}Z`) : Number.NaN;
  if (Number.isNaN(wall)) {
    const reason = 'a one-time schedule is `at(yyyy-mm-ddThh:mm:ss)`';
    return { kind: 'invalid', message: `Invalid Schedule Expression ${expression}; ${reason}` };
  }
  const instant = zone.instantOf(wall);
  return {
    kind: 'schedule',
    next: after => (instant !== undefined && instant > after ? instant : undefined),
  };
}
