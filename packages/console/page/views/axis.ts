/** A place on an axis from 0 to 1 for each moment. */
export interface Axis {
  at(ms: number): number;
  /** Moments to write below the axis, with the time that has passed since the one before. */
  readonly ticks: readonly { readonly at: number; readonly sincePrevious: number }[];
}

/** What a step from one moment to the next takes at least, beside what the logarithm of its length adds. */
const STEP = 1.5;
const TICKS = 9;

/**
 * An axis on which each stretch between two moments is as long as the logarithm of its time: a step of milliseconds,
 * and the hours until the next delivery, are both seen. Between moments it is linear. Moments may come in any order.
 */
export function axisOf(moments: readonly number[]): Axis {
  const sorted = [...new Set(moments)].sort((one, other) => one - other);
  const places: number[] = [];
  let end = 0;
  for (const [index, moment] of sorted.entries()) {
    const before = sorted[index - 1];
    if (before !== undefined) end += STEP + Math.log10(1 + moment - before);
    places.push(end);
  }
  const whole = end === 0 ? 1 : end;
  const at = (ms: number): number => {
    const next = sorted.findIndex(moment => moment >= ms);
    if (next === -1) return sorted.length === 0 ? 0 : 1;
    const [after = 0, before] = [sorted[next], sorted[next - 1]];
    const placeAfter = places[next] ?? 0;
    if (before === undefined || after === ms) return placeAfter / whole;
    const placeBefore = places[next - 1] ?? 0;
    return (placeBefore + ((ms - before) / (after - before)) * (placeAfter - placeBefore)) / whole;
  };
  return { at, ticks: ticksOf(sorted, places, whole) };
}

/** Moments that stand far enough apart to be written. */
function ticksOf(sorted: readonly number[], places: readonly number[], whole: number): Axis['ticks'] {
  const ticks: { at: number; sincePrevious: number }[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const [index, moment] of sorted.entries()) {
    const place = (places[index] ?? 0) / whole;
    if (place - last < 1 / TICKS) continue;
    ticks.push({ at: moment, sincePrevious: moment - (ticks.at(-1)?.at ?? moment) });
    last = place;
  }
  return ticks;
}

/** A position from 0 to 1 as a percentage in CSS. */
export function percent(position: number): string {
  return `${Math.round(position * 10_000) / 100}%`;
}
