import { LocalError } from '../../local-error';
import { Activities } from '../../runtime/catalogue/activities';
import type { Catalogue } from '../../runtime/catalogue/catalogue';
import { checkDefinition } from '../../runtime/catalogue/check-definition';
import { deployMachine } from '../../runtime/catalogue/deploy-machine';
import { EvaluationThreads } from '../../runtime/evaluation/evaluation-threads';
import { Machines } from '../../runtime/machines';
import { Runtime } from '../../runtime/runtime';
import { Revisions } from '../../state/machine-records';
import type { LocalService, Persistence, ServiceContext, ServiceDefinition } from '../local-service';
import { statesRoute } from './api/route';
import { catalogueFrom, catalogueSnapshot } from './catalogue-snapshot';
import { STATE_MACHINE, STATES_RESOURCE_TYPES, type StateMachineSpec } from './cloudformation';
import { statesIntegrations } from './integrations';
import { runtimeApi } from './runtime-api';
import { stateMachineTarget } from './state-machine-target';

/** The Step Functions of a stack. */
export interface StatesService extends LocalService {
  readonly runtime: Runtime;
}

/** Step Functions: the runtime of state machines. The last service to open, for its machines call all the others. */
export const STATES: ServiceDefinition<StatesService> = {
  resourceTypes: STATES_RESOURCE_TYPES,
  open(context) {
    const { environment, resources, clock, ids, newRequestId, activity, interceptors, services } = context;
    const changed = () => context.persist(persistence);
    const machines = new Machines(services.integrations, { partition: 'aws', ...environment }, changed);
    const catalogue = { machines, activities: new Activities(changed), clock, ids: ids.fork('catalogue') };
    const persistence = cataloguePersistence(catalogue, context);
    const evaluator = new EvaluationThreads();
    const runtime = new Runtime({
      clock,
      evaluator,
      services: services.integrations,
      machines,
      ids: ids.fork('executions'),
      ...(context.directory && { store: context.directory.store }),
      ...(interceptors.integrations && { interceptor: interceptors.integrations }),
      activity,
    });
    return {
      runtime,
      integrations: statesIntegrations(runtimeApi(runtime, machines), {
        newRequestId,
        now: () => clock.now(),
      }),
      route: statesRoute({ runtime, catalogue }),
      sdkName: 'SFN',
      persistence,
      target: stateMachineTarget(runtime),
      start() {
        deployMachines(catalogue, resources.of(STATE_MACHINE));
        runtime.resume();
      },
      close() {
        runtime.close();
        evaluator.close();
      },
    };
  },
};

/** Machines and activities as a snapshot; executions are written by the runtime itself, and read with it. */
function cataloguePersistence(
  { machines, activities }: Catalogue,
  { services, directory }: ServiceContext,
): Persistence {
  return {
    name: 'catalogue',
    snapshot: () => catalogueSnapshot({ machines: machines.items(), activities: activities.list() }),
    async restore(snapshot, file) {
      const revisions = new Revisions(({ definitionText, type }) => {
        const checked = checkDefinition(definitionText, type, services.integrations);
        return checked.kind === 'definition' ? checked.definition : undefined;
      });
      await directory?.store.load(revisions);
      const restored = catalogueFrom(snapshot, revisions, file);
      machines.load(restored.machines);
      activities.load(restored.activities);
    },
  };
}

/** Makes the machines what the assembly says. @throws LocalError `InvalidDefinition` with every problem */
function deployMachines(catalogue: Catalogue, stateMachines: readonly StateMachineSpec[]): void {
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
