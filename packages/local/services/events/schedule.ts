import { compileCron } from './cron';

/** A schedule expression ready to be asked, or what is wrong with it, in EventBridge's words where it has some. */
export type CompiledSchedule =
  | {
      readonly kind: 'schedule';
      /**
       * The first time after `after` at which the rule fires, epoch milliseconds; undefined when there is no more.
       * A rate counts from `origin`, when the rule came to be.
       */
      next(after: number, origin: number): number | undefined;
    }
  | { readonly kind: 'invalid'; readonly message: string };

const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', 86_400_000],
]);

/** Compiles `rate(5 minutes)` or `cron(0 8 * * ? *)`. Times are UTC. */
export function compileSchedule(expression: string): CompiledSchedule {
  const [, kind, content = ''] = /^(rate|cron)\((.*)\)$/.exec(expression.trim()) ?? [];
  switch (kind) {
    case 'rate':
      return (
        compileRate(content.trim()) ?? invalid(expression, 'a rate is `rate(1 minute)` or `rate(5 hours)`')
      );
    case 'cron': {
      const cron = compileCron(content.trim());
      if (cron.kind === 'invalid') return invalid(expression, cron.message);
      return { kind: 'schedule', next: after => cron.next(after) };
    }
    default:
      return invalid(expression, 'use rate(...) or cron(...)');
  }
}

function compileRate(content: string): CompiledSchedule | undefined {
  const [, digits = '', unit = '', plural] = /^(\d+) +(minute|hour|day)(s?)$/.exec(content) ?? [];
  const count = Number(digits);
  const unitMs = UNIT_MS.get(unit);
  // The service insists on the grammar, too.
  if (unitMs === undefined || count < 1 || (count === 1) !== (plural === '')) return undefined;
  const interval = count * unitMs;
  return {
    kind: 'schedule',
    next: (after, origin) => origin + (Math.floor((after - origin) / interval) + 1) * interval,
  };
}

function invalid(expression: string, reason: string): CompiledSchedule {
  const message = `Parameter ScheduleExpression is not valid: ${expression}; ${reason}`;
  return { kind: 'invalid', message };
}
