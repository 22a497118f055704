import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { type Graph, graphOf, partOf } from '../../../page/graph/graph';
import { type Box, type Layout, layoutOf, type PositionedEdge, pathOf } from '../../../page/graph/layout';
import type { Point } from '../../../page/graph/routes';

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
    expect(edges).toHaveLength(graph.edges.length);
    for (const { points } of edges) expect(pathOf(points)).toMatch(/^M\S+ .*L\S+$/);
  });

  describe.each(DEFINITIONS)('%s', file => {
    const layout = layoutOf(graphIn(readFileSync(path.join(GOLDEN, file), 'utf8')));

    test('no label lies on another, nor on a state', () => {
      expect(overlapping(layout)).toEqual([]);
    });

    test('lines only cross, unless they begin or end at the same state', () => {
      expect(joined(layout)).toEqual([]);
    });

    test('no line runs through a state, or the label of another one', () => {
      expect(crossed(layout)).toEqual([]);
    });
  });

  test('any definition: states and labels apart, and no line through them', () => {
    const state = fc.record({
      next: fc.array(fc.nat(11), { maxLength: 4 }),
      caught: fc.array(fc.nat(11), { maxLength: 2 }),
      words: fc.constantFrom('', 'Done', 'Another payload', 'Absent or expired, rejected too often'),
    });
    const definition = fc.array(state, { minLength: 1, maxLength: 12 }).map(states => {
      const name = (index: number) => `State ${index % states.length}`;
      const drawn = states.map(({ next, caught, words }, index) => {
        const Catch = caught.map(to => ({ Next: name(to), ErrorEquals: [`X.${words}`] }));
        const Choices = next.map(to => ({ Next: name(to), Comment: words }));
        const Type = next.length === 0 ? 'Succeed' : 'Choice';
        return [name(index), { Type, Choices, Catch }];
      });
      return JSON.stringify({ StartAt: name(0), States: Object.fromEntries(drawn) });
    });

    fc.assert(
      fc.property(definition, text => {
        const layout = layoutOf(graphIn(text));
        expect({ overlapping: overlapping(layout), crossed: crossed(layout) }).toEqual({
          overlapping: [],
          crossed: [],
        });
      }),
      { numRuns: 200 },
    );
  });

  test('a path to a result: one straight column; what leads away from it: the next one, with its ends beside it', () => {
    const choose = (...targets: string[]) => ({
      Type: 'Choice',
      Choices: targets.map(Next => ({ Next, Comment: `to ${Next}` })),
    });
    const graph = graphOf(
      JSON.stringify({
        StartAt: 'Claim',
        States: {
          Claim: {
            Type: 'Task',
            Next: 'Step',
            Catch: [{ ErrorEquals: ['Taken'], Next: 'Read' }],
          },
          Step: { Type: 'Task', Next: 'Done', Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Failed' }] },
          Done: { Type: 'Task', End: true },
          Failed: { Type: 'Fail' },
          Read: { Type: 'Task', Next: 'Which?' },
          'Which?': choose('Busy', 'Answer', 'Again'),
          Again: { Type: 'Task', Next: 'Step' },
          Answer: { Type: 'Pass', End: true },
          Busy: { Type: 'Fail' },
        },
      }),
    );
    if (graph === undefined) throw new Error('no graph');
    const { nodes, edges } = layoutOf(graph);
    const columns = [...new Set(nodes.map(({ x }) => x))].toSorted((one, other) => one - other);
    const inColumn = (column: number) =>
      nodes.filter(({ x }) => x === columns[column]).toSorted((one, other) => one.y - other.y);

    expect(columns.map((_, column) => inColumn(column).map(({ name }) => name))).toEqual([
      ['Claim', 'Step', 'Done', 'Failed'],
      ['Read', 'Which?', 'Again'],
      ['Answer', 'Busy'],
    ]);
    expect(edges.find(({ to }) => to === 'Answer')?.label?.lines).toEqual(['to Answer']);
    const straight = edges.find(({ from, to }) => from === 'Claim' && to === 'Step');
    expect(new Set(straight?.points.map(({ x }) => x)).size).toBe(1);
  });

  test('rules and errors that lead the same way: one edge, with the words of all of them', () => {
    const { edges = [] } =
      graphOf(
        JSON.stringify({
          StartAt: 'A?',
          States: {
            'A?': {
              Type: 'Choice',
              Choices: [
                { Next: 'B', Comment: 'one' },
                { Next: 'C', Comment: 'other' },
                { Next: 'B', Comment: 'two' },
              ],
              Default: 'D',
            },
            B: {
              Type: 'Task',
              Next: 'C',
              Catch: [
                { Next: 'C', ErrorEquals: ['X.AnErrorException', 'X.B', 'X.C'] },
                { Next: 'D', ErrorEquals: ['Sfn.ExecutionDoesNotExistException', 'States.Timeout'] },
                { Next: 'D', ErrorEquals: ['States.ALL'] },
              ],
            },
            C: { Type: 'Pass', End: true, Catch: [{ Next: 'D', ErrorEquals: ['States.ALL'] }] },
            D: { Type: 'Fail' },
          },
        }),
      ) ?? {};

    expect(edges.map(({ from, to, isCatch, labels }) => [from, to, isCatch, labels])).toEqual([
      ['A?', 'B', false, ['one', 'two']],
      ['A?', 'C', false, ['other']],
      ['A?', 'D', false, ['otherwise']],
      ['B', 'C', false, []],
      ['B', 'C', true, ['X errors']],
      ['B', 'D', true, ['execution does not exist, timed out', 'any other error']],
      ['C', 'D', true, ['any error']],
    ]);
  });

  test('a part of a graph: the states, those around them, and what joins them', () => {
    const graph = graphOf(
      '{"StartAt":"P","States":{"P":{"Type":"Parallel","Next":"Z","Branches":[{"StartAt":"A","States":{' +
        '"A":{"Type":"Pass","Next":"B"},"B":{"Type":"Pass","End":true}}}]},"Z":{"Type":"Succeed"}}}',
    );
    if (graph === undefined) throw new Error('no graph');
    const { nodes, edges } = partOf(graph, new Set(['A', 'Z']));

    expect(nodes.map(({ name }) => name)).toEqual(['P', 'A', 'Z']);
    expect(edges.map(({ from, to }) => [from, to])).toEqual([['P', 'Z']]);
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

function graphIn(text: string): Graph {
  const graph = graphOf(text);
  if (graph === undefined) throw new Error('no graph');
  return graph;
}

/** Pairs of states and labels that lie on each other. */
function overlapping({ nodes, edges }: Layout): readonly string[] {
  const states = nodes.filter(({ hasInner }) => !hasInner).map(node => ({ ...node, what: node.name }));
  const boxes = [...states, ...edges.flatMap(edge => labelOf(edge))];
  return boxes.flatMap((one, index) =>
    boxes.slice(index + 1).flatMap(other => (overlap(one, other) ? [`${one.what} / ${other.what}`] : [])),
  );
}

/** Pairs of lines that run along each other, though no state is the beginning or the end of both. */
function joined({ edges }: Layout): readonly string[] {
  return edges.flatMap((one, index) =>
    edges.slice(index + 1).flatMap(other => {
      const isRelated = one.from === other.from || one.to === other.to;
      return !isRelated && runAlong(one.points, other.points)
        ? [`${one.from} → ${one.to} / ${other.from} → ${other.to}`]
        : [];
    }),
  );
}

/** Lines that run through a state, or through the label of an edge that has neither end in common with theirs. */
function crossed({ nodes, edges }: Layout): readonly string[] {
  const states = nodes.filter(({ hasInner }) => !hasInner);
  // Its own two it touches.
  const inner = states.map(node => ({
    ...node,
    what: node.name,
    width: node.width - 2,
    height: node.height - 2,
  }));
  return edges.flatMap(({ from, to, points }) => {
    const labels = edges.filter(other => from !== other.from && to !== other.to).flatMap(labelOf);
    return segmentsOf(points).flatMap(segment =>
      [...inner, ...labels].flatMap(box =>
        overlap(segment, box) ? [`${from} → ${to} through ${box.what}`] : [],
      ),
    );
  });
}

function labelOf({ label }: PositionedEdge): readonly (Box & { readonly what: string })[] {
  if (label === undefined) return [];
  const { lines, isCentered, x, y, width, height } = label;
  return [{ what: lines.join(' '), x: isCentered ? x : x + width / 2, y, width, height }];
}

function overlap(one: Box, other: Box): boolean {
  const apart = (between: number, first: number, second: number) => Math.abs(between) >= (first + second) / 2;
  return !(
    apart(one.x - other.x, one.width, other.width) || apart(one.y - other.y, one.height, other.height)
  );
}

/** The straight parts of a line, each as a box that is as thin as the line. */
function segmentsOf(points: readonly Point[]): readonly Box[] {
  return points.slice(1).flatMap((end, index) => {
    const begin = points[index] ?? end;
    const [width, height] = [Math.abs(end.x - begin.x), Math.abs(end.y - begin.y)];
    const middle = { x: (begin.x + end.x) / 2, y: (begin.y + end.y) / 2 };
    return width + height < 1 ? [] : [{ ...middle, width: Math.max(width, 1), height: Math.max(height, 1) }];
  });
}

/** Whether two lines run along each other for more than they need to cross. */
function runAlong(one: readonly Point[], other: readonly Point[]): boolean {
  return segmentsOf(one).some(first =>
    segmentsOf(other).some(second => {
      const isFlat = first.width > first.height;
      return isFlat === second.width > second.height && overlap(first, second);
    }),
  );
}
