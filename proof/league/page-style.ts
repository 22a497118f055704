/** The style sheet of the page, beside that of every document. */
export const STYLE = `
figure { margin: 0; }
figcaption { color: var(--soft); max-width: 70em; margin-top: 4px; }
.figures { font-variant-numeric: tabular-nums; width: auto; }
.figures th, .figures td { padding: 3px 10px 3px 6px; }
.figures thead th { vertical-align: bottom; max-width: 7.5em; }
.figures tbody th { color: var(--ink); font-weight: 400; white-space: nowrap; }
.figures code { white-space: nowrap; }
.figures .ours th { font-weight: 600; }
.figures .count { text-align: right; white-space: nowrap; color: var(--ink); }
.figures .count.none { color: var(--soft); }
.count.failure { background: color-mix(in srgb, var(--bad) 14%, var(--panel)); }
.count.reported { background: color-mix(in srgb, var(--warn) 14%, var(--panel)); }
.map { font-size: 12.5px; }
.map td.count { border: 1px solid var(--panel); }
.map abbr { text-decoration: none; }
.heat-0 { background: color-mix(in srgb, var(--good) 14%, var(--panel)); }
.heat-1 { background: color-mix(in srgb, var(--bad) 8%, var(--panel)); }
.heat-2 { background: color-mix(in srgb, var(--bad) 16%, var(--panel)); }
.heat-3 { background: color-mix(in srgb, var(--bad) 25%, var(--panel)); }
.heat-4 { background: color-mix(in srgb, var(--bad) 35%, var(--panel)); }
.heat-5 { background: color-mix(in srgb, var(--bad) 45%, var(--panel)); }
/* A table that is wider than the window: keys and a finger move it. */
.scrolled { overflow-x: auto; }
.scrolled :is(td, th) { overflow-wrap: break-word; }
.best { text-decoration: underline; }
.sign { color: var(--run); }
.problem { color: var(--bad); }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 520px), 1fr)); gap: 14px; }
.plot { width: 100%; height: auto; background: var(--panel); border: 1px solid var(--line); border-radius: 8px; }
.plot text { fill: var(--soft); font: 11px system-ui, sans-serif; }
.plot text.name { fill: var(--ink); }
.plot text.ours { font-weight: 600; fill: var(--run); }
.plot .grid { stroke: var(--line); }
.plot .leader { stroke: var(--soft); stroke-width: 0.7; }
.plot circle { fill: var(--bad); }
.plot path.ours { fill: var(--run); }
blockquote { margin: 4px 0 10px; padding-left: 12px; border-left: 3px solid var(--line); }
article p { margin: 4px 0; max-width: 70em; }
@media print {
  * { print-color-adjust: exact; }
  details::details-content { content-visibility: visible; height: auto; }
  .scrolled { overflow: visible; }
  figure, article, details.order { break-inside: avoid; }
}
`;
