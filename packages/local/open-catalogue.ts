import type { Assembly } from './load-assembly';
import { LocalError } from './local-error';
import { readState } from './open-state';
import { Activities } from './runtime/catalogue/activities';
import type { Catalogue } from './runtime/catalogue/catalogue';
import { checkDefinition } from './runtime/catalogue/check-definition';
import { deployMachine } from './runtime/catalogue/deploy-machine';
import type { Clock } from './runtime/clock';
import type { Ids } from './runtime/ids';
import { Machines } from './runtime/machines';
import type { ServiceTable } from './runtime/service';
import type { StateDirectory } from './state/directory';
import { Revisions } from './state/machine-records';

/** What a catalogue is made for. */
export interface CatalogueOptions {
  readonly services: ServiceTable;
  readonly region: string;
  readonly account: string;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Where it is kept. @default - memory */
  readonly directory: StateDirectory | undefined;
}

/** The machines and activities of a stack, with those that were kept; what changes is kept in turn. */
export async function openCatalogue(options: CatalogueOptions): Promise<Catalogue> {
  const { services, region, account, clock, ids, directory } = options;
  const changed = () => directory?.keep({ machines: machines.items(), activities: activities.list() });
  const machines = new Machines(services, { partition: 'aws', region, account }, changed);
  const activities = new Activities(changed);
  const revisions = new Revisions(({ definitionText, type }) => {
    const checked = checkDefinition(definitionText, type, services);
    return checked.kind === 'definition' ? checked.definition : undefined;
  });
  const kept = directory && (await readState(directory, () => directory.load(revisions)));
  machines.load(kept?.machines ?? []);
  activities.load(kept?.activities ?? []);
  return { machines, activities, clock, ids };
}

/** Makes the machines what the assembly says. @throws LocalError `InvalidDefinition` with every problem */
export function deployMachines(catalogue: Catalogue, { stateMachines }: Assembly): void {
  const problems = stateMachines.flatMap(machine => {
    try {
      deployMachine(catalogue, machine.definitionText, machine);
      return [];
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return [`${machine.stack}/${machine.logicalId}: ${reason}`];
    }
  });
  if (problems.length > 0) throw new LocalError('InvalidDefinition', problems);
}
