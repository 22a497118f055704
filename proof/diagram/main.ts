import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { graphOf } from './graph';
import { mermaidOf } from './mermaid';
import { svgOf } from './svg';

const ROOT = path.join(__dirname, '../..');

// Draws the workflow out of the reviewed definition. A test holds the pictures against it.
const graph = graphOf(JSON.parse(readFileSync(path.join(ROOT, 'test/golden/minimal.asl.json'), 'utf8')));
for (const [file, text] of [
  ['docs/images/workflow.mmd', mermaidOf(graph)],
  ['docs/images/workflow.svg', svgOf(graph)],
] as const) {
  writeFileSync(path.join(ROOT, file), text);
  process.stdout.write(`${file}\n`);
}
