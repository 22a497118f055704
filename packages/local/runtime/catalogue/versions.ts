import { requireMachineArn, splitMachineArn } from '../requests/arns';
import { StatesError } from '../requests/errors';
import type { Catalogue } from './catalogue';
import { type CatalogueItem, type MachineVersion, versionArnOf, versionOf } from './catalogue-item';

/**
 * The item with its current revision published, and the version's ARN. A revision that is a version already stays
 * that version.
 */
export function publish(
  item: CatalogueItem,
  now: number,
  description?: string,
): { readonly item: CatalogueItem; readonly versionArn?: string } {
  const known = versionOf(item, item.machine);
  if (known) return { item, versionArn: versionArnOf(item, known.number) };
  const number = item.lastVersion + 1;
  const version: MachineVersion = {
    number,
    machine: item.machine,
    creationDate: now,
    ...(description !== undefined && { description }),
  };
  const published = { ...item, lastVersion: number, versions: [...item.versions, version] };
  return { item: published, versionArn: versionArnOf(item, number) };
}

/**
 * PublishStateMachineVersion. `revisionId` guards against publishing another caller's change.
 *
 * @throws StatesError `InvalidArn`, `StateMachineDoesNotExist`, `ConflictException`.
 */
export function publishStateMachineVersion(
  { machines, clock }: Catalogue,
  request: { readonly stateMachineArn: string; readonly revisionId?: string; readonly description?: string },
): { readonly creationDate: number; readonly stateMachineVersionArn: string } {
  const before = machines.item(request.stateMachineArn);
  const { revisionId = INITIAL_REVISION } = before.machine;
  if (request.revisionId !== undefined && request.revisionId !== revisionId) {
    const message =
      `Failed to publish the State Machine version for revision ${request.revisionId}. ` +
      `The current State Machine revision is ${revisionId}.`;
    throw new StatesError('ConflictException', message);
  }
  const { item } = publish(before, clock.now(), request.description);
  machines.put(item);
  const version = versionOf(item, item.machine);
  if (!version) throw new Error(`a published revision without a version: ${item.machine.arn}`);
  return {
    creationDate: version.creationDate,
    stateMachineVersionArn: versionArnOf(item, version.number),
  };
}

/** What the service takes for the revision of a machine that was never updated. */
export const INITIAL_REVISION = 'INITIAL';

/** The versions of a machine, the latest first. @throws StatesError `InvalidArn`, `StateMachineDoesNotExist`. */
export function listStateMachineVersions(
  { machines }: Catalogue,
  stateMachineArn: string,
): readonly { readonly creationDate: number; readonly stateMachineVersionArn: string }[] {
  const item = machines.item(stateMachineArn);
  return item.versions.toReversed().map(({ number, creationDate }) => ({
    creationDate,
    stateMachineVersionArn: versionArnOf(item, number),
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
  const item = machines.find(versionArn);
  if (!item) return;
  const users = item.aliases.filter(({ routingConfiguration }) =>
    routingConfiguration.some(({ stateMachineVersionArn }) => stateMachineVersionArn === versionArn),
  );
  if (users.length > 0) {
    const message =
      'Version to be deleted must not be referenced by an alias. ' +
      `Current list of aliases referencing this version: [${users.map(({ name }) => name).join(', ')}]`;
    throw new StatesError('ConflictException', message);
  }
  const versions = item.versions.filter(({ number }) => versionArnOf(item, number) !== versionArn);
  machines.put({ ...item, versions });
}
