import { html } from '../../../proof/lanes/document';
import { legendOf, renderChart, type Step } from '../../../proof/lanes/lanes';

const LANES = [
  { id: 'a', name: 'first' },
  { id: 'b', name: 'second' },
];

function leftOf(text: string, mark: string): number {
  return Number(new RegExp(`class="mark [a-z]+ ${mark}" style="left:([\\d.]+)%"`).exec(text)?.[1]);
}

describe('a chart of lanes', () => {
  test('steps of the same millisecond: side by side, in their order', () => {
    const steps: Step[] = [
      { at: 1e12, lane: 'a', mark: 'started', text: '1' },
      { at: 1e12, lane: 'b', mark: 'ran', text: '2' },
      { at: 1e12, lane: 'a', mark: 'killed', text: '3' },
      { at: 1e12 + 60_000, lane: 'a', mark: 'redriven', text: '4' },
    ];
    const { text } = renderChart({ label: 'x', lanes: LANES, steps });
    const places = (['started', 'ran', 'killed', 'redriven'] as const).map(mark => leftOf(text, mark));

    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(new Set(places).size).toBe(4);
    expect([places.at(0), places.at(-1)]).toEqual([0, 100]);
    expect(text).toContain('>+1 min</span>');
  });

  test('a bar: from the step that begins it to the one that ends it, else to the end of the axis', () => {
    const steps: Step[] = [
      {
        at: 0,
        lane: 'a',
        mark: 'step',
        text: '1',
        bars: { a: { tone: 'run' }, b: { tone: 'good', text: 'DONE' } },
      },
      { at: 1000, lane: 'a', mark: 'step', text: '2', bars: { a: null } },
      { at: 2000, lane: 'a', mark: 'step', text: '3' },
    ];
    const { text } = renderChart({ label: 'x', lanes: LANES, steps });

    expect(text).toMatch(/class="bar run" style="left:0%;width:max\(4px,(?:[1-9]\d?)(?:\.\d+)?%\)"/);
    expect(text).toContain(
      'class="bar version good" style="left:0%;width:calc(100% + 80px)" title="DONE">DONE<',
    );
  });

  test('from one lane to another, up or down: a line as long as the lanes are apart', () => {
    const lanes = [...LANES, { id: 'c', name: 'third' }];
    const steps: Step[] = [
      { at: 0, lane: 'a', to: 'c', mark: 'step', text: '1' },
      { at: 1, lane: 'c', to: 'b', mark: 'step', text: '2' },
    ];
    const { text } = renderChart({ label: 'x', lanes, steps });

    expect(text).toContain('left:0%;top:15px;height:60px');
    expect(text).toContain('left:100%;top:-15px;height:30px');
  });

  test('the legend: the signs that are used, and no others', () => {
    const { text } = legendOf([{ at: 0, lane: 'a', mark: 'killed', text: '' }]);

    expect(text).toContain('an execution is stopped');
    expect(text.match(/<li>/g)).toHaveLength(1);
  });
});

describe('markup', () => {
  test('text in it and in its attributes: escaped; markup in it: as it is; nothing: nothing', () => {
    const { text } = html`<p title="${`"'`}">${['<b>&', html`<i>${1}</i>`, undefined]}</p>`;

    expect(text).toBe('<p title="&#34;&#39;">&#60;b&#62;&#38;<i>1</i></p>');
  });
});
