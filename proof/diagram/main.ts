import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readCommandLine } from '../../cli/program/command-line';
import { EXIT } from '../../cli/program/exit';
import { optionHelp } from '../../cli/program/options';
import { runProgram } from '../../cli/program/program';
import { graphOf } from './graph';
import { mermaidOf } from './mermaid';
import { svgOf } from './svg';

const ROOT = path.join(__dirname, '../..');
const OPTIONS = {};

const HELP = `Usage: npm run diagram

Draws the workflow out of the reviewed definition, test/golden/minimal.asl.json, into docs/images/workflow.mmd and
docs/images/workflow.svg. A test holds the pictures against it.

${optionHelp(OPTIONS)}
Exit codes: 0 drawn, 2 wrong usage, 3 a fault of this program.
`;

runProgram({
  name: 'diagram',
  helpCommand: 'npm run diagram -- --help',
  help: HELP,
  parse: args => readCommandLine(args, OPTIONS),
  run: async () => draw(),
});

function draw(): number {
  const graph = graphOf(JSON.parse(readFileSync(path.join(ROOT, 'test/golden/minimal.asl.json'), 'utf8')));
  for (const [file, text] of [
    ['docs/images/workflow.mmd', mermaidOf(graph)],
    ['docs/images/workflow.svg', svgOf(graph)],
  ] as const) {
    writeFileSync(path.join(ROOT, file), text);
    process.stdout.write(`${file}\n`);
  }
  return EXIT.done;
}
