/** A time zone of the IANA database. Wall time is what its clocks show, as if it were UTC, in epoch milliseconds. */
export interface TimeZone {
  /** What the clocks show at an instant. */
  wallTime(instant: number): number;
  /** The first instant at which they show it; undefined where they leave it out, as in spring. */
  instantOf(wallTime: number): number | undefined;
}

const DAY_MS = 86_400_000;

/** The zone of this name, such as `Europe/Berlin`; undefined where there is none. */
export function timeZone(name: string): TimeZone | undefined {
  const format = formatOf(name);
  if (format === undefined) return undefined;
  const wallTime = (instant: number) => {
    const parts = format.formatToParts(instant).map(({ type, value }) => [type, Number(value)] as const);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = Object.fromEntries(parts);
    return Date.UTC(year, month - 1, day, hour, minute, second) + (instant % 1000);
  };
  return {
    wallTime,
    instantOf(wall) {
      // Clocks change at most once within two days.
      const offsets = [wall - DAY_MS, wall + DAY_MS].map(about => wallTime(about) - about);
      const instants = offsets.map(offset => wall - offset).filter(instant => wallTime(instant) === wall);
      return instants.length === 0 ? undefined : Math.min(...instants);
    },
  };
}

function formatOf(name: string): Intl.DateTimeFormat | undefined {
  const numeric = 'numeric' as const;
  const parts = {
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  };
  try {
    return new Intl.DateTimeFormat('en-US', {
      ...parts,
      timeZone: name,
      hourCycle: 'h23',
      calendar: 'gregory',
    });
  } catch {
    return undefined;
  }
}
