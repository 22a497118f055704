import type { Assembly } from '@onceflow/local';
import { assemblyOf, type WhichApp } from '../app/assembly';
import type { Local } from '../app/installed';
import { textOfFile } from '../input-file';
import { usage } from '../program/rejection';

/** A definition that histories may be of, and what it leaves open. */
export interface Candidate {
  readonly name: string;
  readonly definition: string;
  readonly openNames: readonly string[];
  /** The account and region in its text; undefined for a file, whose text is that of a deployment. */
  readonly environment?: { readonly region: string; readonly account: string };
}

/** Which definition is meant: that in a file, or those of an app, or one of them. */
interface WhichDefinition extends WhichApp {
  readonly definition: string | undefined;
  readonly 'state-machine': string | undefined;
}

/** The definitions that the options name. @throws Rejection if there is none that can be used */
export async function candidatesOf(
  options: WhichDefinition,
  local: Local,
  ended: AbortSignal,
): Promise<readonly Candidate[]> {
  if (options.definition !== undefined) return [fromFile(options.definition)];
  const assembly = await assemblyOf(options, local, ended);
  const machines = selectMachines(assembly.stateMachines, options['state-machine']);
  return machines.map(({ name, arn, definitionText }) => {
    const [, , , region = '', account = ''] = arn.split(':');
    return {
      name,
      definition: definitionText,
      openNames: assembly.generatedNames,
      environment: { region, account },
    };
  });
}

type Machine = Assembly['stateMachines'][number];

/** The Standard state machines of an app, or the one of a name or of the beginning of a logical id. */
function selectMachines(all: readonly Machine[], wanted: string | undefined): readonly Machine[] {
  // The history of an Express execution is not kept.
  const machines = all.filter(({ type }) => type === 'STANDARD');
  if (machines.length === 0)
    throw usage(
      'this app has no Standard state machine, and Step Functions keeps no history of Express ones',
    );
  if (wanted === undefined) return machines;
  const exact = machines.filter(({ name, logicalId }) => name === wanted || logicalId === wanted);
  const found = exact.length > 0 ? exact : machines.filter(({ logicalId }) => logicalId.startsWith(wanted));
  if (found.length === 1) return found;
  const names = (found.length === 0 ? machines : found).map(({ logicalId }) => logicalId).join(', ');
  const what = found.length === 0 ? 'is not a state machine of this app' : 'could be several of this app';
  throw usage(`--state-machine ${JSON.stringify(wanted)} ${what}: ${names}`);
}

const SUBSTITUTION = /\$\{[^}"\\]+\}/g;
const RESOURCE = /("Resource"\s*:\s*)"(\$\{([^}"\\]+)\})"/g;

/** A definition file may have substitutions, as templates of SAM and CloudFormation fill them in. */
function fromFile(file: string): Candidate {
  const text = textOfFile(file, '--definition');
  const arns = new Map<string, string>();
  const definition = text.replace(RESOURCE, (_all, before: string, _reference: string, name: string) => {
    const arn = `arn:aws:lambda:us-east-1:111111111111:function:${name.replace(/[^\w-]/g, '-')}`;
    arns.set(arn, name);
    return `${before}"${arn}"`;
  });
  return { name: file, definition, openNames: [...arns.keys(), ...(definition.match(SUBSTITUTION) ?? [])] };
}
