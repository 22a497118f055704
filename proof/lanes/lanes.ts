import { duration } from '../../packages/console/page/text';
import { type Axis, axisOf, percent } from '../../packages/console/page/views/axis';
import { type Html, html } from './document';

/** Who acts, or is acted on: a row of a chart. */
export interface Lane {
  /** Which one it is, in `Step.lane`. */
  readonly id: string;
  readonly name: string;
  /** What the name is short for. */
  readonly title?: string;
}

/** What a lane is in from a step on. */
export interface Bar {
  readonly tone: Tone;
  /** What stands in it; without it the bar is plain, and marks may stand in it. */
  readonly text?: string;
}

/** Something that happened, in a lane, or from one lane to another. */
export interface Step {
  /** Epoch milliseconds; no step is before the one that stands before it. */
  readonly at: number;
  readonly lane: string;
  readonly to?: string;
  readonly mark: MarkName;
  /** Stands in place of the mark's own sign, and before the sentence: its number. */
  readonly sign?: string;
  /** A sentence. */
  readonly text: string;
  /** Lanes whose bar changes with it, and to what: null ends the bar. */
  readonly bars?: Readonly<Record<string, Bar | null>>;
}

/** The subjects of one axis. */
export interface Chart {
  /** What it shows, for who does not see it. */
  readonly label: string;
  readonly lanes: readonly Lane[];
  readonly steps: readonly Step[];
  /** Whether the steps in words are seen at once. @default - by a click */
  readonly areWordsOpen?: boolean;
}

type Tone = 'good' | 'run' | 'bad' | 'warn' | 'none';

/** Each mark has a color, a sign and words, so the reader need not distinguish colors. */
const MARKS = {
  started: ['▸', 'run', 'a delivery starts an execution'],
  bounced: ['↩', 'none', 'a duplicate bounces off: it starts nothing'],
  recovered: ['↺', 'warn', 'recovery delivers it again'],
  ran: ['◆', 'run', 'the step is called'],
  charged: ['€', 'good', 'the provider charges'],
  repeated: ['=', 'none', 'the provider is asked again with the same key, and answers with its charge'],
  killed: ['■', 'bad', 'an execution is stopped'],
  redriven: ['↻', 'warn', 'an ended owner is redriven'],
  tookOver: ['⇑', 'warn', 'the claim is taken over'],
  written: ['•', 'none', 'the record is written'],
  rejected: ['⊘', 'bad', 'rejected, or failed'],
  succeeded: ['✓', 'good', 'succeeded'],
  comes: ['▸', 'run', 'a delivery comes'],
  answered: ['↩', 'none', 'it is answered'],
  step: ['•', 'none', 'a step of the schedule'],
  fault: ['!', 'bad', 'a fault'],
} as const satisfies Record<string, readonly [sign: string, tone: Tone, words: string]>;

/** What kind of thing happened. */
export type MarkName = keyof typeof MARKS;

/** What the marks of steps mean. */
export function legendOf(steps: readonly Step[]): Html {
  const used = new Set(steps.map(({ mark }) => mark));
  const names = (Object.keys(MARKS) as MarkName[]).filter(name => used.has(name));
  const items = names.map(name => {
    const [sign, tone, words] = MARKS[name];
    return html`<li><span class="mark ${tone}" aria-hidden="true">${sign}</span>${words}</li>\n`;
  });
  return html`<ul class="legend" aria-label="Signs">\n${items}</ul>`;
}

/** The height of a lane in pixels, as the style sheet has it. */
const LANE_PX = 30;

/**
 * A lane for each who acts, all on one axis, and below it the same in words. The axis is that of the console's page of
 * a key: long waits and steps of milliseconds are both seen. What happens in the same millisecond stands side by side.
 */
export function renderChart({ label, lanes, steps, areWordsOpen = false }: Chart): Html {
  const places = placesOf(steps);
  const [first = 0] = places;
  const axis = axisOf(places);
  const rows = lanes.map(
    ({ id, name, title = name }) => html`<div class="lane"><span class="name" title="${title}">${name}</span>
<span class="track">${barsOf(id, steps, places, axis)}${marksOf(id, lanes, steps, places, axis)}</span></div>\n`,
  );
  const ticks = axis.ticks
    // What only stands apart, in the same millisecond, has no time of its own.
    .filter(({ sincePrevious }, index) => index === 0 || sincePrevious >= 1)
    .map(
      ({ at }) => html`<span class="tick" style="left:${percent(axis.at(at))}">${passed(at - first)}</span>`,
    );
  const words = steps.map(
    ({ at, lane, text, sign }) =>
      html`<li><time>${passed(at - first)}</time>${sign ?? nameIn(lanes, lane)}: ${text}</li>\n`,
  );
  return html`<div class="lanes" role="img" aria-label="${label}; the list below says the same">
${rows}<div class="lane ticks"><span class="name">not to scale</span><span class="track">${ticks}</span></div>
</div>
<details${areWordsOpen ? ' open' : ''}><summary>In words</summary><ol class="timeline">
${words}</ol></details>`;
}

/** A part of a millisecond, which a number of today's epoch milliseconds holds exactly. */
const APART = 1 / 256;

/** The positions of steps on the axis: at their times, each behind the one before. */
function placesOf(steps: readonly Step[]): readonly number[] {
  const places: number[] = [];
  for (const { at } of steps) places.push(Math.max(at, (places.at(-1) ?? Number.NEGATIVE_INFINITY) + APART));
  return places;
}

/** The bars of a lane: each from the step that begins it to the one that changes it, or to the end. */
function barsOf(lane: string, steps: readonly Step[], places: readonly number[], axis: Axis): Html[] {
  const changes = steps.flatMap(({ bars }, index) => {
    const bar = bars?.[lane];
    return bar === undefined ? [] : [{ bar, from: axis.at(places[index] ?? 0) }];
  });
  return changes.flatMap(({ bar, from }, index) => {
    if (bar === null) return [];
    const next = changes[index + 1]?.from;
    const width = percent((next ?? 1) - from);
    // A mark that is not over has room for its name behind the axis.
    const size = next === undefined && bar.text !== undefined ? `calc(${width} + 80px)` : `max(4px,${width})`;
    const style = `left:${percent(from)};width:${size}`;
    const kind = bar.text === undefined ? '' : 'version ';
    return [
      html`<span class="bar ${kind}${bar.tone}" style="${style}" title="${bar.text}">${bar.text}</span>`,
    ];
  });
}

function marksOf(
  lane: string,
  lanes: readonly Lane[],
  steps: readonly Step[],
  places: readonly number[],
  axis: Axis,
): Html[] {
  const rowOf = (id: string) => lanes.findIndex(one => one.id === id);
  return steps.flatMap((step, index) => {
    if (step.lane !== lane) return [];
    const left = percent(axis.at(places[index] ?? 0));
    const [usual, tone] = MARKS[step.mark];
    const sign = step.sign ?? usual;
    const rows = step.to === undefined ? 0 : rowOf(step.to) - rowOf(lane);
    const [top, height] = [LANE_PX * Math.min(0, rows) + LANE_PX / 2, LANE_PX * Math.abs(rows)];
    const reach =
      rows === 0
        ? undefined
        : html`<span class="reach" style="left:${left};top:${top}px;height:${height}px"></span>`;
    const style = `left:${left}`;
    const mark = html`<span class="mark ${tone} ${step.mark}" style="${style}" title="${step.text}">${sign}</span>`;
    return [html`${reach}${mark}`];
  });
}

function nameIn(lanes: readonly Lane[], id: string): string {
  return lanes.find(lane => lane.id === id)?.name ?? id;
}

/** Time since the first step. */
function passed(ms: number): string {
  return ms < 1 ? '0 s' : `+${duration(ms)}`;
}
