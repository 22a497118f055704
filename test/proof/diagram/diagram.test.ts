import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type DrawnDefinition, graphOf } from '../../../proof/diagram/graph';
import { mermaidOf } from '../../../proof/diagram/mermaid';
import { svgOf } from '../../../proof/diagram/svg';

const ROOT = path.join(__dirname, '../../..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const DEFINITION = JSON.parse(read('test/golden/minimal.asl.json')) as DrawnDefinition;
const STATES = Object.keys(DEFINITION.States);

/** Every way out of every state, as the States Language has it. */
function waysIn({ States }: DrawnDefinition): string[] {
  return Object.entries(States).flatMap(([name, { Next, Default, Choices = [], Catch = [] }]) => [
    ...[Next, Default, ...Choices.map(rule => rule.Next)].flatMap(to => (to ? [`${name} --> ${to}`] : [])),
    ...Catch.map(catcher => `${name} -.-> ${catcher.Next}`),
  ]);
}

/** The names of the nodes of a Mermaid flowchart, by their ids. */
function namesIn(mermaid: string): ReadonlyMap<string, string> {
  return new Map([...mermaid.matchAll(/^ {4}(s\d+)\W+"(.*)"/gm)].map(([, id = '', name = '']) => [id, name]));
}

/** Its ways, by the names of the nodes. */
function drawnIn(mermaid: string): string[] {
  const names = namesIn(mermaid);
  return [...mermaid.matchAll(/^ {2}(s\d+) (-->|-\.->)(?:\|".*"\|)? (s\d+)$/gm)].map(
    ([, from = '', arrow, to = '']) => `${names.get(from)} ${arrow} ${names.get(to)}`,
  );
}

describe('the diagram of the workflow', () => {
  const graph = graphOf(DEFINITION);

  test.each([
    ['docs/images/workflow.mmd', mermaidOf],
    ['docs/images/workflow.svg', svgOf],
  ])('%s: as `npm run diagram` draws the reviewed definition', (file, draw) => {
    expect(read(file)).toBe(draw(graph));
  });

  test('Mermaid: every state once, every transition and every catcher', () => {
    const mermaid = mermaidOf(graph);

    expect([...namesIn(mermaid).values()].sort()).toEqual([...STATES].sort());
    expect(drawnIn(mermaid).sort()).toEqual([...new Set(waysIn(DEFINITION))].sort());
  });

  test('picture: a shape for every state, a line for every transition and catcher', () => {
    const svg = svgOf(graph);

    expect(svg.match(/<g class="node /g)).toHaveLength(STATES.length);
    expect(svg.match(/marker-end/g)).toHaveLength(new Set(waysIn(DEFINITION)).size);
  });

  test('the second flow begins where the record is read that refused the claim', () => {
    const second = graph.nodes.filter(({ group }) => group === 'Duplicate').map(({ name }) => name);

    expect(second[0]).toBe('Read record');
    expect(second).toEqual(expect.arrayContaining(['Take over', 'In progress', "Return the owner's result"]));
    expect(second).not.toContain('Business step');
  });

  test('rules and errors that lead the same way: one line, with all of them', () => {
    const drawn = graphOf({
      StartAt: 'A?',
      States: {
        'A?': {
          Type: 'Choice',
          Choices: [
            { Next: 'B', Comment: 'one' },
            { Next: 'C', Comment: 'other' },
            { Next: 'B', Comment: 'two' },
          ],
          Default: 'C',
        },
        B: { Type: 'Task', Next: 'C', Catch: [{ Next: 'C', ErrorEquals: ['X.AException', 'X.B', 'X.C'] }] },
        C: { Type: 'Pass', End: true },
      },
    });

    expect(drawn.edges).toEqual([
      { from: 'A?', to: 'B', labels: ['one', 'two'], isCatch: false },
      { from: 'A?', to: 'C', labels: ['other', 'Otherwise'], isCatch: false },
      { from: 'B', to: 'C', labels: [], isCatch: false },
      { from: 'B', to: 'C', labels: ['A and 2 more'], isCatch: true },
    ]);
  });
});
