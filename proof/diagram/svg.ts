import { LINE_HEIGHT } from '../../packages/console/page/graph/layout';

/** Forms and colors of light pages, then the colors of dark ones. Later rules win. */
const STYLE = [
  'text{font:12px system-ui,sans-serif;fill:#1f2328}.middle{text-anchor:middle}.label{fill:#59636e}',
  '.heading,.sign{font-weight:600}.sign,.ground{fill:#fff}.badge{fill:#59636e}.frame rect{fill:none;stroke:#d1d9e0}',
  '.edge{fill:none;stroke:#8c959f}.head{fill:#8c959f}.catch{stroke-dasharray:4 3}',
  '.node rect{fill:#fff;stroke:#59636e}.choice rect{stroke:#0757ba}.fail rect{stroke:#b42318}',
  '.end rect{stroke:#166c32}.start rect,.end rect{stroke-width:2}',
  '.quiet{opacity:.5}.edge.quiet{opacity:1;stroke:#d1d9e0}.head.quiet{opacity:1;fill:#d1d9e0}',
  '.edge.taken{stroke:#1f2328;stroke-width:2.5}.label.taken,.head.taken{fill:#1f2328}',
  '.succeeded rect{fill:#dafbe1;stroke:#166c32;stroke-width:2}.succeeded .badge{fill:#166c32}',
  '.caught rect{fill:#fff3d1;stroke:#865100;stroke-width:2}.caught .badge{fill:#865100}',
  '.failed rect{fill:#ffebe9;stroke:#b42318;stroke-width:2}.failed .badge{fill:#b42318}',
  '@media(prefers-color-scheme:dark){text{fill:#e6edf3}.label{fill:#9ba5b0}.sign,.ground{fill:#0d1117}',
  '.badge{fill:#9ba5b0}.frame rect{stroke:#3d444d}.edge{stroke:#656c76}.head{fill:#656c76}',
  '.node rect{fill:#0d1117;stroke:#9ba5b0}.choice rect{stroke:#6cb0ff}.fail rect{stroke:#ff8279}',
  '.end rect{stroke:#4fd06a}.edge.quiet{stroke:#2f363d}.head.quiet{fill:#2f363d}',
  '.edge.taken{stroke:#e6edf3}.label.taken,.head.taken{fill:#e6edf3}',
  '.succeeded rect{fill:#10301b;stroke:#4fd06a}.succeeded .badge{fill:#4fd06a}',
  '.caught rect{fill:#3a2c0b;stroke:#e3b341}.caught .badge{fill:#e3b341}',
  '.failed rect{fill:#431a1a;stroke:#ff8279}.failed .badge{fill:#ff8279}}',
].join('');

/** The area of a picture. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A picture of its own, for light and dark pages; `title` is for who does not see it. */
export function picture(title: string, area: Area, content: readonly string[]): string {
  const [left, top, width, height] = [area.left, area.top, area.width, area.height].map(round);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${left} ${top} ${width} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>${STYLE}</style>`,
    ...['', ' taken', ' quiet'].map(
      kind =>
        `<marker id="head${kind.trim()}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" ` +
        `markerUnits="userSpaceOnUse" orient="auto"><path class="head${kind}" d="M0 0 L8 4 L0 8 z"/></marker>`,
    ),
    ground(area),
    ...content.filter(line => line !== ''),
    '</svg>',
    '',
  ].join('\n');
}

/** An element of some classes with what is in it. */
export function group(classes: string, content: readonly string[]): string {
  return `<g class="${classes}">${content.join('')}</g>`;
}

/** A line with an arrow head. */
export function arrow(classes: string, path: string): string {
  const kind = /taken|quiet/.exec(classes)?.[0] ?? '';
  return `<path class="edge ${classes}" d="${path}" marker-end="url(#head${kind})"/>`;
}

/** A rectangle with round corners. */
export function rectangle(area: Area, radius: number): string {
  return `<rect ${boundsOf(area)} rx="${radius}"/>`;
}

/** A sign on a right corner of a box, at a place that covers no name and no label. */
export function badge(x: number, y: number, sign: string): string {
  return `<circle class="badge" cx="${round(x)}" cy="${round(y)}" r="8"/>${text('sign middle', x, y, [sign])}`;
}

/** Lines of text around the height `y`, as one text; nothing where there are none. */
export function text(classes: string, x: number, y: number, lines: readonly string[]): string {
  const top = y - ((lines.length - 1) * LINE_HEIGHT) / 2 + 4;
  const spans = lines.map((line, index) => {
    return `<tspan x="${round(x)}" y="${round(top + index * LINE_HEIGHT)}">${escaped(line)}</tspan>`;
  });
  return lines.length === 0 ? '' : `<text class="${classes}">${spans.join(' ')}</text>`;
}

/** What lies below a text, so that no line runs through it. */
export function ground(area: Area): string {
  return `<rect class="ground" ${boundsOf(area)}/>`;
}

function boundsOf({ left, top, width, height }: Area): string {
  return `x="${round(left)}" y="${round(top)}" width="${round(width)}" height="${round(height)}"`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
