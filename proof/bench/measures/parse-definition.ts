import { parseDefinition } from '../../../packages/local/asl/parse';
import { loadAssembly } from '../../../packages/local/load-assembly';
import { type Measure, measured, print } from './measure';

// The reference app's definition is read: as the first one of the process, as one of many that differ in a comment and
// so have their expressions in common, and again and again. Argument: the folder of the synthesized assembly.

/** What the program prints; an execution is a definition here. */
export interface ParseMeasure {
  readonly first: Measure;
  readonly similar: Measure;
  readonly same: Measure;
}

const DEFINITIONS = 200;

async function measure(): Promise<void> {
  const loaded = loadAssembly(process.argv[2] ?? '');
  if (loaded.kind === 'problems') throw new Error(JSON.stringify(loaded.problems));
  const machine = loaded.assembly.stateMachines.find(({ type }) => type !== 'EXPRESS');
  if (!machine) throw new Error('no state machine in the assembly');
  const definition = JSON.parse(machine.definitionText) as object;
  const texts = Array.from({ length: 2 * DEFINITIONS }, (_, index) =>
    JSON.stringify({ ...definition, Comment: `definition ${index}` }),
  );
  const parse = async (text: string) => {
    const parsed = parseDefinition(text);
    if (parsed.kind === 'problems') throw new Error(JSON.stringify(parsed.problems));
  };
  const first = await measured(1, () => parse(machine.definitionText));
  // The second half, so that the code is compiled by then.
  for (const text of texts.slice(DEFINITIONS)) await parse(text);
  const similar = await measured(DEFINITIONS, async () => {
    for (const text of texts.slice(0, DEFINITIONS)) await parse(text);
  });
  const same = await measured(DEFINITIONS, async () => {
    for (let count = 0; count < DEFINITIONS; count += 1) await parse(machine.definitionText);
  });
  print({ first, similar, same } satisfies ParseMeasure);
}

void measure();
