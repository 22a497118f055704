import type { Edge, Graph, Group, Node } from './graph';

const GROUPS: readonly Group[] = ['First delivery', 'Duplicate'];

/** The graph as a Mermaid flowchart: catchers dashed, Choices rhombs, Fail states round, results framed twice. */
export function mermaidOf({ start, nodes, edges }: Graph): string {
  const ids = new Map(nodes.map(({ name }, index) => [name, `s${index + 1}`]));
  const idOf = (name: string) => ids.get(name) ?? name;
  const lines = [
    'flowchart TB',
    ...GROUPS.flatMap((group, index) => [
      `  subgraph g${index + 1}["${group}"]`,
      ...nodes.filter(node => node.group === group).map(node => `    ${idOf(node.name)}${shapeOf(node)}`),
      '  end',
    ]),
    `  start(( )) --> ${idOf(start)}`,
    ...edges.map(edge => `  ${idOf(edge.from)} ${arrowOf(edge)} ${idOf(edge.to)}`),
  ];
  return `${lines.join('\n')}\n`;
}

function shapeOf({ name, type, isEnd }: Node): string {
  if (type === 'Choice') return `{"${name}"}`;
  if (type === 'Fail') return `(["${name}"])`;
  if (isEnd) return `[["${name}"]]`;
  return `["${name}"]`;
}

function arrowOf({ labels, isCatch }: Edge): string {
  const label = labels.length === 0 ? '' : `|"${labels.join('<br>')}"|`;
  return `${isCatch ? '-.->' : '-->'}${label}`;
}
