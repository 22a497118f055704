import { type Html, html } from '../lanes/document';

/** A contender in a plot. */
export interface Point {
  readonly name: string;
  /** From 0; both axes are logarithmic, with a place of its own for 0. */
  readonly x: number;
  readonly y: number;
  /** Drawn as a filled diamond; the others are circles. */
  readonly isMarked: boolean;
}

/** What a plot shows. */
export interface Plot {
  /** For who does not see it. */
  readonly label: string;
  readonly xTitle: string;
  readonly yTitle: string;
  readonly points: readonly Point[];
}

const WIDTH = 640;
const HEIGHT = 420;
const LEFT = 64;
const RIGHT = WIDTH - 24;
const TOP = 16;
const BOTTOM = HEIGHT - 56;
/** How far from 0 the logarithmic part of an axis begins. */
const BEHIND_ZERO = 44;

/** Points with their names on two logarithmic axes, as an SVG that scales with its column. */
export function renderPlot({ label, xTitle, yTitle, points }: Plot): Html {
  const across = scaleOf(
    points.map(({ x }) => x),
    { from: LEFT + 20, to: RIGHT - 70, behindZero: BEHIND_ZERO },
  );
  const up = scaleOf(
    points.map(({ y }) => y),
    { from: BOTTOM - 24, to: TOP + 12, behindZero: -BEHIND_ZERO },
  );
  const placed = points.map(point => ({ ...point, left: across.at(point.x), top: up.at(point.y) }));
  const labels = positionLabels(placed);
  return html`<svg class="plot" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">
${across.ticks.map(
  ({ at, text }) => html`<line class="grid" x1="${at}" x2="${at}" y1="${TOP}" y2="${BOTTOM}"/>
<text x="${at}" y="${BOTTOM + 16}" text-anchor="middle">${text}</text>\n`,
)}${up.ticks.map(
  ({ at, text }) => html`<line class="grid" x1="${LEFT}" x2="${RIGHT}" y1="${at}" y2="${at}"/>
<text x="${LEFT - 6}" y="${at + 4}" text-anchor="end">${text}</text>\n`,
)}<text class="axis" x="${(LEFT + RIGHT) / 2}" y="${HEIGHT - 10}" text-anchor="middle">${xTitle}</text>
<text class="axis" transform="translate(14 ${(TOP + BOTTOM) / 2}) rotate(-90)" text-anchor="middle">${yTitle}</text>
${labels.map(({ left, top, anchor, middle }) => leader(left, top, anchor, middle))}${placed.map(signOf)}
${labels.map(
  ({ name, isMarked, x0, middle }) =>
    html`<text class="name${isMarked ? ' ours' : ''}" x="${round(x0)}" y="${round(middle + 4)}">${name}</text>\n`,
)}</svg>`;
}

interface Placed extends Point {
  readonly left: number;
  readonly top: number;
}

/** A name and the box that it takes; `anchor` is the side of it that is next to its point. */
interface Label extends Placed {
  readonly x0: number;
  readonly x1: number;
  readonly middle: number;
  readonly anchor: number;
}

const LETTER_PX = 6.4;
const LINE_PX = 14;
const BESIDE_PX = 9;

/** A place for each name, beside its point: no name stands on another, nor on a point, as long as there is room. */
export function positionLabels(points: readonly Placed[]): readonly Label[] {
  const labels: Label[] = [];
  // From the lowest, so that the names of points side by side on the axis of 0 are stacked upwards.
  for (const point of points.toSorted((one, other) => other.top - one.top || other.left - one.left)) {
    const tries = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? -1 : 1) * Math.ceil(index / 2))
      .flatMap(lines => [1, -1].map(side => labelAt(point, side, lines)))
      .filter(isInside);
    const free = tries.find(
      label => !labels.some(other => areOver(label, other)) && !points.some(other => isOn(label, other)),
    );
    labels.push(free ?? tries[0] ?? labelAt(point, 1, 0));
  }
  return labels;
}

function labelAt(point: Placed, side: number, lines: number): Label {
  const width = point.name.length * LETTER_PX;
  const anchor = point.left + side * BESIDE_PX;
  const x0 = side > 0 ? anchor : anchor - width;
  return { ...point, x0, x1: x0 + width, middle: point.top + lines * LINE_PX, anchor };
}

function isInside({ x0, x1, middle }: Label): boolean {
  return x0 >= LEFT && x1 <= WIDTH && middle >= TOP && middle <= BOTTOM - LINE_PX / 2;
}

function areOver(one: Label, other: Label): boolean {
  return one.x0 < other.x1 && other.x0 < one.x1 && Math.abs(one.middle - other.middle) < LINE_PX;
}

function isOn({ x0, x1, middle }: Label, { left, top }: Placed): boolean {
  return left > x0 - 6 && left < x1 + 6 && Math.abs(top - middle) < LINE_PX / 2 + 4;
}

function leader(left: number, top: number, anchor: number, middle: number): Html | undefined {
  if (Math.abs(top - middle) < LINE_PX) return undefined;
  const [x1, y1, x2, y2] = [left, top, anchor, middle].map(round);
  return html`<line class="leader" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"/>\n`;
}

function signOf({ left, top, isMarked, name, x, y }: Placed): Html {
  const [across, down] = [round(left), round(top)];
  const said = html`<title>${name}: ${x}, ${y}</title>`;
  return isMarked
    ? html`<path class="ours" d="M${across} ${down - 6}l6 6l-6 6l-6-6z">${said}</path>\n`
    : html`<circle cx="${across}" cy="${down}" r="4.5">${said}</circle>\n`;
}

interface Scale {
  at(value: number): number;
  readonly ticks: readonly { readonly at: number; readonly text: string }[];
}

/** A logarithmic scale over whole powers of ten, behind a place for 0. */
function scaleOf(
  values: readonly number[],
  { from, to, behindZero }: { readonly from: number; readonly to: number; readonly behindZero: number },
): Scale {
  const positive = values.filter(value => value > 0);
  const low = positive.length === 0 ? 0 : Math.floor(Math.log10(Math.min(...positive)));
  const high = Math.max(low + 1, positive.length === 0 ? 1 : Math.ceil(Math.log10(Math.max(...positive))));
  const start = from + behindZero;
  const at = (value: number) =>
    value <= 0 ? from : start + ((Math.log10(value) - low) / (high - low)) * (to - start);
  const powers = Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index));
  const within = high - low > 2 ? [1] : [1, 2, 5];
  const marks = powers.flatMap(power => within.map(times => times * power)).filter(one => one <= 10 ** high);
  return {
    at,
    ticks: [0, ...marks].map(value => ({ at: round(at(value)), text: String(Number(value.toPrecision(1))) })),
  };
}

function round(index: number): number {
  return Math.round(index * 10) / 10;
}
