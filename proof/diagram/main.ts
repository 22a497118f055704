import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readCommandLine } from '../../cli/program/command-line';
import { EXIT } from '../../cli/program/exit';
import { flag, optionHelp } from '../../cli/program/options';
import { runProgram } from '../../cli/program/program';
import { pictures, REVIEWED, wholePicture } from './pictures';

const ROOT = path.join(__dirname, '../..');
const OPTIONS = {
  errors: flag('print the picture with retries and service errors, and write nothing'),
};

const HELP = `Usage: npm run diagram
       npm run --silent diagram -- --errors > FILE.svg

Draws the workflow out of the reviewed definition, ${REVIEWED}, into docs/images/workflow.svg, and the path of
a delivery into docs/images/overview.svg. A test compares the pictures with it.

${optionHelp(OPTIONS)}
Exit codes: 0 drawn, 2 wrong usage, 3 an internal error.
`;

runProgram({
  name: 'diagram',
  helpCommand: 'npm run diagram -- --help',
  help: HELP,
  parse: args => readCommandLine(args, OPTIONS),
  run: async ({ values }) => draw(values.errors),
});

function draw(hasErrors: boolean): number {
  const definition = readFileSync(path.join(ROOT, REVIEWED), 'utf8');
  if (hasErrors) {
    process.stdout.write(wholePicture(definition));
    return EXIT.done;
  }
  for (const [file, text] of pictures(definition)) {
    writeFileSync(path.join(ROOT, file), text);
    process.stdout.write(`${file}\n`);
  }
  return EXIT.done;
}
