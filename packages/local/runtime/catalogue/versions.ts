import { requireMachineArn, splitMachineArn } from '../arns';
import { StatesError } from '../errors';
import type { Catalogue } from './catalogue';
import { type MachineEntry, type MachineVersion, versionArnOf, versionOf } from './entry';

/** An entry whose current revision is a version, and the version's ARN. One that is a version already stays it. */
export function publish(
  entry: MachineEntry,
  now: number,
  description?: string,
): { readonly entry: MachineEntry; readonly versionArn?: string } {
  const known = versionOf(entry, entry.machine);
  if (known) return { entry, versionArn: versionArnOf(entry, known.number) };
  const number = entry.lastVersion + 1;
  const version: MachineVersion = {
    number,
    machine: entry.machine,
    creationDate: now,
    ...(description !== undefined && { description }),
  };
  const published = { ...entry, lastVersion: number, versions: [...entry.versions, version] };
  return { entry: published, versionArn: versionArnOf(entry, number) };
}

/**
 * PublishStateMachineVersion. `revisionId` guards against publishing what somebody else has changed.
 *
 * @throws StatesError `InvalidArn`, `StateMachineDoesNotExist`, `ConflictException`.
 */
export function publishStateMachineVersion(
  { machines, clock }: Catalogue,
  request: { readonly stateMachineArn: string; readonly revisionId?: string; readonly description?: string },
): { readonly creationDate: number; readonly stateMachineVersionArn: string } {
  const before = machines.entry(request.stateMachineArn);
  const { revisionId = INITIAL_REVISION } = before.machine;
  if (request.revisionId !== undefined && request.revisionId !== revisionId) {
    const message = `The revision id provided does not match the current revision id ${revisionId}.`;
    throw new StatesError('ConflictException', message);
  }
  const { entry } = publish(before, clock.now(), request.description);
  machines.put(entry);
  const version = versionOf(entry, entry.machine);
  if (!version) throw new Error(`a published revision without a version: ${entry.machine.arn}`);
  return {
    creationDate: version.creationDate,
    stateMachineVersionArn: versionArnOf(entry, version.number),
  };
}

/** What the service takes for the revision of a machine that was never updated. */
const INITIAL_REVISION = 'INITIAL';

/** The versions of a machine, the latest first. @throws StatesError `InvalidArn`, `StateMachineDoesNotExist`. */
export function listStateMachineVersions(
  { machines }: Catalogue,
  stateMachineArn: string,
): readonly { readonly creationDate: number; readonly stateMachineVersionArn: string }[] {
  const entry = machines.entry(stateMachineArn);
  return entry.versions.toReversed().map(({ number, creationDate }) => ({
    creationDate,
    stateMachineVersionArn: versionArnOf(entry, number),
  }));
}

/**
 * Deletes a version; executions that run it go on. One that does not exist is fine.
 *
 * @throws StatesError `InvalidArn`, `ValidationException` for an ARN without version, `ConflictException` while an
 * alias refers to it.
 */
export function deleteStateMachineVersion({ machines }: Catalogue, versionArn: string): void {
  requireMachineArn(versionArn);
  const { qualifier = '' } = splitMachineArn(versionArn);
  if (!/^\d+$/.test(qualifier)) {
    throw new StatesError('ValidationException', `Invalid state machine version ARN: '${versionArn}'`);
  }
  const entry = machines.find(versionArn);
  if (!entry) return;
  const users = entry.aliases.filter(({ routingConfiguration }) =>
    routingConfiguration.some(({ stateMachineVersionArn }) => stateMachineVersionArn === versionArn),
  );
  if (users.length > 0) {
    const message =
      'Version to be deleted must not be referenced by an alias. ' +
      `Current list of aliases referencing this version: [${users.map(({ name }) => name).join(', ')}]`;
    throw new StatesError('ConflictException', message);
  }
  const versions = entry.versions.filter(({ number }) => versionArnOf(entry, number) !== versionArn);
  machines.put({ ...entry, versions });
}
