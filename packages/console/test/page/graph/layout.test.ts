import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { graphOf } from '../../../page/graph/graph';
import { layoutOf } from '../../../page/graph/layout';

const GOLDEN = path.join(__dirname, '../../../../../test/golden');
const DEFINITIONS = readdirSync(GOLDEN).filter(file => file.endsWith('.asl.json'));

describe('the graph of a definition', () => {
  test.each(DEFINITIONS)('%s: every state has a place of its own, every way a path', file => {
    const graph = graphOf(readFileSync(path.join(GOLDEN, file), 'utf8'));
    if (graph === undefined) throw new Error('no graph');
    const { nodes, edges, width, height } = layoutOf(graph);

    expect(nodes.map(({ name }) => name).sort()).toEqual(graph.nodes.map(({ name }) => name).sort());
    for (const { x, y, width: wide, height: high } of nodes) {
      expect(x - wide / 2).toBeGreaterThanOrEqual(0);
      expect(y - high / 2).toBeGreaterThanOrEqual(0);
      expect(x + wide / 2).toBeLessThanOrEqual(width);
      expect(y + high / 2).toBeLessThanOrEqual(height);
    }
    for (const { path: drawn } of edges) expect(drawn).toMatch(/^M\S+ .*L\S+$/);
  });

  test.each([
    [
      'states of strange types',
      '{"States":{"A":null,"B":5,"C":{"Type":{},"Choices":"x","Catch":[null],"Next":5}}}',
      ['C'],
    ],
    ['branches of strange types', '{"States":{"P":{"Branches":{},"ItemProcessor":[null]}}}', ['P']],
    ['a branch that is none', '{"States":{"P":{"Branches":[null,5]}}}', ['P']],
    [
      'names that objects have',
      '{"States":{"__proto__":{"Next":"constructor"},"constructor":{}}}',
      ['__proto__', 'constructor'],
    ],
    ['a name twice', '{"States":{"P":{"Branches":[{"States":{"P":{}}}]}}}', ['P']],
    ['a name that is empty', '{"States":{"":{"Next":""}}}', ['']],
    [
      'a circle, and a Next that leads nowhere',
      '{"States":{"A":{"Next":"B","Default":"C"},"B":{"Next":"A"}}}',
      ['A', 'B'],
    ],
  ])('%s: what can be drawn is drawn', (_, definition, names) => {
    const graph = graphOf(definition);
    if (graph === undefined) throw new Error('no graph');

    expect(layoutOf(graph).nodes.map(({ name }) => name)).toEqual(names);
  });

  test.each(['{"States":{}}', '{"States":[]}', '{"States":{"A":null}}', 'null', '5', '{'])(
    '%s: none',
    definition => {
      expect(graphOf(definition)).toBeUndefined();
    },
  );

  test('Map and Parallel: what is within stands within', () => {
    const inner = {
      StartAt: 'Inner',
      States: { Inner: { Type: 'Pass', Next: 'Last' }, Last: { Type: 'Pass', End: true } },
    };
    const graph = graphOf(
      JSON.stringify({
        StartAt: 'Each',
        States: {
          Each: {
            Type: 'Map',
            ItemProcessor: inner,
            Next: 'After',
            Catch: [{ ErrorEquals: ['States.ALL'], Next: 'After' }],
          },
          After: { Type: 'Succeed' },
        },
      }),
    );
    if (graph === undefined) throw new Error('no graph');
    const layout = layoutOf(graph);
    const [holder, first] = ['Each', 'Inner'].map(name => layout.nodes.find(node => node.name === name));

    expect(graph.nodes.map(({ name, parent }) => [name, parent])).toEqual([
      ['Each', undefined],
      ['Inner', 'Each'],
      ['Last', 'Each'],
      ['After', undefined],
    ]);
    expect(holder?.hasInner).toBe(true);
    expect((holder?.y ?? 0) - (holder?.height ?? 0) / 2).toBeLessThan(
      (first?.y ?? 0) - (first?.height ?? 0) / 2,
    );
    expect(layout.edges.filter(({ isCatch }) => isCatch)).toHaveLength(1);
  });

  test.each([['no JSON'], ['null'], ['{"States": 1}'], ['[]']])('%s: there is none', text => {
    expect(graphOf(text)).toBeUndefined();
  });

  test('two hundred states: placed', () => {
    const states = Array.from({ length: 200 }, (_, index) => [
      `State ${index}`,
      index === 199 ? { Type: 'Succeed' } : { Type: 'Pass', Next: `State ${index + 1}` },
    ]);
    const graph = graphOf(JSON.stringify({ StartAt: 'State 0', States: Object.fromEntries(states) }));

    expect(graph && layoutOf(graph).nodes).toHaveLength(200);
  });
});
