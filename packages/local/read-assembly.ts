import type { Assembly } from './assembly/assembly';
import { loadAssembly } from './assembly/load';
import { LocalError } from './local-error';

/** The assembly in a directory. @throws LocalError `InvalidAssembly` with every problem */
export function readAssembly(directory: string): Assembly {
  const loaded = loadAssembly(directory);
  if (loaded.kind === 'assembly') return loaded.assembly;
  throw new LocalError(
    'InvalidAssembly',
    loaded.problems.map(({ where, message }) => `${where}: ${message}`),
  );
}

/** The value of a stack output. @throws LocalError `InvalidAssembly` with the names there are */
export function outputOf(assembly: Assembly, name: string): string {
  const output = assembly.outputs.find(candidate => candidate.name === name);
  if (typeof output?.value === 'string') return output.value;
  const known = assembly.outputs.map(candidate => candidate.name).join(', ') || 'none';
  throw new LocalError('InvalidAssembly', [`no stack output ${name}; the stacks have: ${known}`]);
}

/** Where everything is: a local stack is one place, as one AWS account and region are, that of the first machine. */
export function placeOf(assembly: Assembly): { readonly region: string; readonly account: string } {
  const [, , , region = 'us-east-1', account = '111111111111'] =
    assembly.stateMachines[0]?.arn.split(':') ?? [];
  return { region, account };
}
