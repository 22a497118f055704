import { type VariableReferences, variableReferences } from '../../language/index';
import { requireMachineArn, splitMachineArn } from '../requests/arns';
import type { Catalogue } from './catalogue';
import { versionArnOf } from './catalogue-item';
import type { MachineChoice, RegisteredMachine } from './registered-machine';

/** A machine, or one of its versions, as DescribeStateMachine returns it; times are epoch milliseconds. */
export function describeStateMachine({ machines }: Pick<Catalogue, 'machines'>, arn: string) {
  requireMachineArn(arn);
  const { machine, versionArn, aliasArn } = machines.resolve(arn, () => 0);
  // The service describes machines and versions; an alias has an operation of its own.
  if (aliasArn !== undefined) machines.item(arn);
  const item = machines.item(splitMachineArn(arn).machineArn);
  const version = item.versions.find(({ number }) => versionArnOf(item, number) === versionArn);
  return {
    ...contentOf(machine),
    stateMachineArn: arn,
    status: 'ACTIVE',
    type: machine.type,
    creationDate: version?.creationDate ?? machine.creationDate,
    ...(version?.description !== undefined && { description: version.description }),
  };
}

/** The revision an execution runs, as DescribeStateMachineForExecution returns it: that of a Map Run has its label. */
export function describeRevision({ machine, mapRun }: MachineChoice) {
  const label = machine.arn.slice(machine.arn.lastIndexOf('/') + 1);
  return {
    ...contentOf(machine),
    stateMachineArn: machine.arn,
    updateDate: machine.updateDate,
    ...(mapRun && { mapRunArn: mapRun.arn, label }),
  };
}

function contentOf(machine: RegisteredMachine) {
  const references = referencesOf(machine);
  const { definitionText, loggingConfiguration, name, revisionId, roleArn, tracingConfiguration } = machine;
  return {
    name,
    definition: definitionText,
    roleArn,
    loggingConfiguration,
    tracingConfiguration,
    encryptionConfiguration: { type: 'AWS_OWNED_KEY' },
    ...(revisionId !== undefined && { revisionId }),
    ...(Object.keys(references).length > 0 && { variableReferences: references }),
  };
}

/** Found once for each revision: parsing all its expressions takes longer than everything else here. */
const REFERENCES = new WeakMap<RegisteredMachine, VariableReferences>();

function referencesOf(machine: RegisteredMachine): VariableReferences {
  const known = REFERENCES.get(machine);
  if (known) return known;
  const references = variableReferences(machine.definitionText);
  REFERENCES.set(machine, references);
  return references;
}
