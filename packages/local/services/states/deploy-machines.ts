import { describeNotRun, findNotRun, type NotRunResource } from '../../assembly/not-run';
import { LocalError } from '../../local-error';
import type { Catalogue } from '../../runtime/catalogue/catalogue';
import { checkDefinition } from '../../runtime/catalogue/check-definition';
import { deployMachine } from '../../runtime/catalogue/deploy-machine';
import type { StateMachineSpec } from './cloudformation';

/**
 * Makes the machines what an assembly says, and gives back those that are not run: they use what Step Functions has
 * and the local engine does not, such as another service. A request for one of them is rejected with the reason.
 *
 * @param notRun - what else of the assembly is not run
 * @throws LocalError `InvalidDefinition` with every problem: definitions that Step Functions would reject, and machines
 * that run and call what does not
 */
export function deployMachines(
  catalogue: Catalogue,
  specs: readonly StateMachineSpec[],
  notRun: readonly NotRunResource[],
): readonly NotRunResource[] {
  const problems: string[] = [];
  const running: StateMachineSpec[] = [];
  const foreign: NotRunResource[] = [];
  for (const spec of specs) {
    try {
      deployMachine(catalogue, spec.definitionText, spec);
      running.push(spec);
    } catch (error) {
      const reason = foreignReason(catalogue, spec);
      if (reason === undefined) problems.push(`${whereOf(spec)}: ${messageOf(error)}`);
      else foreign.push(notRunOf(spec, reason));
      problems.push(...hintsOf(catalogue, spec));
    }
  }
  for (const resource of foreign)
    catalogue.machines.reject(resource.names[0] ?? '', describeNotRun(resource));
  problems.push(...running.flatMap(spec => missingCallees(spec, [...notRun, ...foreign])));
  if (problems.length > 0) throw new LocalError('InvalidDefinition', problems);
  return foreign;
}

/** What Step Functions does not say of the problems of a definition. */
function hintsOf({ machines }: Catalogue, spec: StateMachineSpec): readonly string[] {
  const checked = checkDefinition(spec.definitionText, spec.type, machines.services);
  if (checked.kind === 'definition') return [];
  return checked.problems.flatMap(({ hint, location }) =>
    hint === undefined ? [] : [`${location}: ${hint}`],
  );
}

/** Why the local engine alone does not run a machine; undefined where Step Functions would not, either. */
function foreignReason({ machines }: Catalogue, spec: StateMachineSpec): string | undefined {
  const checked = checkDefinition(spec.definitionText, spec.type, machines.services);
  if (checked.kind === 'definition') return undefined;
  const { problems } = checked;
  if (!problems.every(({ code }) => code === 'NOT_SUPPORTED_LOCALLY')) return undefined;
  return [...new Set(problems.map(({ message }) => message))].join('; ');
}

function notRunOf({ logicalId, stack, arn, name }: StateMachineSpec, reason: string): NotRunResource {
  return { logicalId, type: 'AWS::StepFunctions::StateMachine', stack, names: [arn, name], reason };
}

/** The fields of a definition that name what a task calls. */
const CALLEES = new Set(['Resource', 'FunctionName', 'StateMachineArn', 'QueueUrl', 'TopicArn']);

/** A machine that calls what is not run would fail in the middle: that is said before it starts. */
function missingCallees(spec: StateMachineSpec, notRun: readonly NotRunResource[]): readonly string[] {
  const called = new Set<NotRunResource>();
  JSON.parse(spec.definitionText, (field: string, value: unknown) => {
    if (typeof value !== 'string' || !CALLEES.has(field)) return value;
    // A version or an alias of a function or of a machine comes behind one more colon.
    const found = findNotRun(notRun, value) ?? findNotRun(notRun, value.slice(0, value.lastIndexOf(':')));
    if (found) called.add(found);
    return value;
  });
  return [...called].map(
    resource => `${whereOf(spec)}: it calls what is not there: ${describeNotRun(resource)}`,
  );
}

function whereOf({ stack, logicalId }: StateMachineSpec): string {
  return `${stack}/${logicalId}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
