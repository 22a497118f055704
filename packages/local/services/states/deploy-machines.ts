import { describeNotRun, findNotRun, type NotRunResource } from '../../assembly/not-run';
import type { ResourceSpec } from '../../assembly/types';
import { isJsonObject } from '../../json/json';
import { LocalError } from '../../local-error';
import { needsMock } from '../../runtime/calls/answer';
import type { Interceptor, ServiceCall, ServiceResult } from '../../runtime/calls/service';
import { createStateMachineAlias, updateStateMachineAlias } from '../../runtime/catalogue/aliases';
import type { Catalogue } from '../../runtime/catalogue/catalogue';
import { checkDefinition } from '../../runtime/catalogue/check-definition';
import { deployMachine } from '../../runtime/catalogue/deploy-machine';
import type { MachineAliasSpec, MachineVersionSpec, StateMachineSpec } from './cloudformation';

/**
 * Makes the machines what an assembly says, and gives back those that are not run: they use what Step Functions has
 * and the local engine does not, such as a writer's configuration. A request for one is rejected with the reason.
 *
 * @throws LocalError `InvalidDefinition` with every problem of the definitions that Step Functions would reject
 */
export function deployMachines(
  catalogue: Catalogue,
  specs: readonly StateMachineSpec[],
): readonly NotRunResource[] {
  const problems: string[] = [];
  const foreign: NotRunResource[] = [];
  for (const spec of specs) {
    try {
      deployMachine(catalogue, spec.definitionText, spec);
    } catch (error) {
      const reason = foreignReason(catalogue, spec);
      if (reason === undefined) problems.push(`${whereOf(spec)}: ${withoutNowhere(messageOf(error))}`);
      else
        foreign.push({
          ...notRunOf(spec, 'AWS::StepFunctions::StateMachine', reason),
          names: [spec.arn, spec.name],
        });
      problems.push(...hintsOf(catalogue, spec));
    }
  }
  for (const resource of foreign)
    catalogue.machines.reject(resource.names[0] ?? '', describeNotRun(resource));
  if (problems.length > 0) throw new LocalError('InvalidDefinition', problems);
  return foreign;
}

/** The service says `at null` of a problem of the whole definition, which says nothing to people. */
function withoutNowhere(message: string): string {
  return message.replace(/ at null(?=, [A-Z_]+: |'$)/g, '');
}

/**
 * Gives the machines the versions and aliases of an assembly, and gives back those that are not run, because their
 * machine is not. A version of an earlier deployment becomes the current definition.
 *
 * @throws LocalError `InvalidDefinition` with every routing that Step Functions would reject
 */
export function deployVersions(
  catalogue: Catalogue,
  versions: readonly MachineVersionSpec[],
  aliases: readonly MachineAliasSpec[],
): readonly NotRunResource[] {
  const { machines, clock } = catalogue;
  const problems: string[] = [];
  const notRun: NotRunResource[] = [];
  const itemOf = (spec: MachineVersionSpec | MachineAliasSpec, type: string) => {
    const item = machines.find(spec.arn);
    if (!item) notRun.push(notRunOf(spec, `AWS::StepFunctions::${type}`, 'its state machine is not run'));
    return item;
  };
  for (const spec of versions) {
    const item = itemOf(spec, 'StateMachineVersion');
    if (!item) continue;
    const { number, description } = spec;
    const others = item.versions.filter(version => version.number !== number);
    const creationDate = clock.now();
    const version = {
      number,
      machine: item.machine,
      creationDate,
      ...(description !== undefined && { description }),
    };
    machines.put({
      ...item,
      versions: [...others, version].toSorted((a, b) => a.number - b.number),
      lastVersion: Math.max(item.lastVersion, number),
    });
  }
  for (const spec of aliases) {
    const item = itemOf(spec, 'StateMachineAlias');
    if (!item) continue;
    try {
      if (item.aliases.some(({ name }) => name === spec.name))
        updateStateMachineAlias(catalogue, { ...spec, stateMachineAliasArn: spec.arn });
      else createStateMachineAlias(catalogue, spec);
    } catch (error) {
      problems.push(`${whereOf(spec)}: ${messageOf(error)}`);
    }
  }
  if (problems.length > 0) throw new LocalError('InvalidDefinition', problems);
  return notRun;
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

function notRunOf(spec: ResourceSpec, type: string, reason: string): NotRunResource {
  const { logicalId, stack, arn = '' } = spec;
  return { logicalId, type, stack, names: [arn], reason };
}

/** The arguments that name what a call is for. */
const CALLEES = ['FunctionName', 'QueueUrl', 'TopicArn', 'TableName', 'Bucket', 'StateMachineArn'];

/** What fails calls of resources that are not run, with the reason, behind another interceptor if there is one. */
export function withoutNotRun(
  notRun: readonly NotRunResource[],
  interceptor: Interceptor | undefined,
): Interceptor | undefined {
  if (notRun.length === 0) return interceptor;
  const checked: Interceptor = (call, next) => {
    const failure = failureOf(call, notRun);
    return failure ? Promise.resolve(failure) : next();
  };
  return interceptor ? (call, next) => interceptor(call, () => checked(call, next)) : checked;
}

function failureOf(call: ServiceCall, notRun: readonly NotRunResource[]): ServiceResult | undefined {
  if (!isJsonObject(call.arguments)) return undefined;
  for (const name of CALLEES) {
    const callee = call.arguments[name];
    if (typeof callee !== 'string') continue;
    // A version or an alias of a function or of a machine comes behind one more colon.
    const found = findNotRun(notRun, callee) ?? findNotRun(notRun, callee.replace(/:[^:]*$/, ''));
    const remedy =
      name === 'FunctionName' ? `. Pass --function '${found?.logicalId}=URL|MODULE|COMMAND'` : '';
    if (found) return needsMock(describeNotRun(found) + remedy, [call.stateName]);
  }
  return undefined;
}

function whereOf({ stack, logicalId }: ResourceSpec): string {
  return `${stack}/${logicalId}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
