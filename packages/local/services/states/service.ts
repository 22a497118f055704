import type { NotRunResource } from '../../assembly/not-run';
import type { DeployedResources } from '../../assembly/read-resources';
import type { ServiceTable } from '../../runtime/calls/service';
import { Activities } from '../../runtime/catalogue/activities';
import { createActivity } from '../../runtime/catalogue/activity-operations';
import { checkDefinition } from '../../runtime/catalogue/check-definition';
import { MachineRegistry } from '../../runtime/catalogue/machine-registry';
import { Runtime } from '../../runtime/runtime';
import { MemoryStore } from '../../runtime/store/memory-store';
import { stateTester } from '../../runtime/test-state/state-tester';
import { Revisions } from '../../state/machine-records';
import type { LocalService, ServiceDefinition } from '../local-service';
import { statesRoute } from './api/route';
import {
  ACTIVITY,
  MACHINE_ALIAS,
  MACHINE_VERSION,
  STATE_MACHINE,
  STATES_RESOURCE_TYPES,
} from './cloudformation';
import { deployMachines, deployVersions, withoutNotRun } from './deploy-machines';
import { ExecutionLog } from './execution-log';
import { ExecutionMetrics } from './execution-metrics';
import { statesIntegrations } from './integrations';
import { leftRunning } from './left-running';
import { runtimeApi } from './runtime-api';
import { savedCatalogue } from './saved-catalogue';
import { stateMachineTarget } from './state-machine-target';

/** The Step Functions of a stack. */
export interface StatesService extends LocalService {
  readonly runtime: Runtime;
  /** What the state machines log. */
  readonly executionLog: ExecutionLog;
  /** What Step Functions tells CloudWatch of executions. */
  readonly executionMetrics: ExecutionMetrics;
  /** The machines of the assembly that are not run, once the service has started. */
  readonly notRun: readonly NotRunResource[];
  /** How many executions an earlier process left running that go on, once the service has started. */
  readonly resumed: number;
}

/** Step Functions: the runtime of state machines. The last service to open, for its machines call all the others. */
export const STATES: ServiceDefinition<StatesService> = {
  resourceTypes: STATES_RESOURCE_TYPES,
  open(context) {
    const { environment, resources, clock, ids, newRequestId, work, interceptors, services } = context;
    const { directory, evaluator } = context;
    const { keep, maxRunning, stop } = context.executions;
    const store = directory?.store ?? new MemoryStore({ keep });
    const saved = directory && savedCatalogue(directory);
    const changed = () => saved?.changed(catalogue);
    const machines = new MachineRegistry(
      services.integrations,
      { partition: 'aws', ...environment },
      changed,
    );
    const activities = new Activities(changed);
    const catalogue = {
      machines,
      activities,
      clock,
      ids: ids.fork('catalogue'),
      logGroups: logGroupsOf(resources),
    };
    const executionLog = new ExecutionLog();
    const executionMetrics = new ExecutionMetrics();
    const interceptor = withoutNotRun(resources.notRun, interceptors.integrations);
    const shared = { clock, evaluator, services: services.integrations, work, machines };
    const ports = { ...shared, ...(interceptor && { interceptor }) };
    const runtime = new Runtime({
      ...ports,
      activities,
      ...(interceptors.begin && { begin: interceptors.begin }),
      ...(interceptors.mockedActivity && { mockedActivity: interceptors.mockedActivity }),
      ids: ids.fork('executions'),
      store,
      ...(maxRunning !== undefined && { maxRunningExecutions: maxRunning }),
      recorded(recorded) {
        executionLog.record(recorded);
        executionMetrics.record(recorded);
      },
    });
    const testState = stateTester({ ...ports, ids: ids.fork('tests') });
    let notRun: readonly NotRunResource[] = [];
    let resumed = 0;
    return {
      runtime,
      executionLog,
      executionMetrics,
      get resumed() {
        return resumed;
      },
      get notRun() {
        return notRun;
      },
      integrations: statesIntegrations(runtimeApi(runtime, catalogue), {
        newRequestId,
        now: () => clock.now(),
      }),
      route: statesRoute({ runtime, catalogue, testState, ...(saved && { written: saved.written }) }),
      sdkName: 'SFN',
      target: stateMachineTarget(runtime, clock),
      async restore() {
        const revisions = revisionsFor(services.integrations);
        await directory?.store.load(revisions);
        await saved?.load(catalogue, revisions);
      },
      start() {
        for (const { name } of resources.of(ACTIVITY)) createActivity(catalogue, { name });
        notRun = [
          ...deployMachines(catalogue, resources.of(STATE_MACHINE)),
          ...deployVersions(catalogue, resources.of(MACHINE_VERSION), resources.of(MACHINE_ALIAS)),
        ];
        resumed = runtime.resume(leftRunning(store, stop));
      },
      close: () => runtime.close(),
    };
  },
};

function revisionsFor(services: ServiceTable): Revisions {
  return new Revisions(({ definitionText, type }) => {
    const checked = checkDefinition(definitionText, type, services);
    return checked.kind === 'definition' ? checked.definition : undefined;
  });
}

/** Those of the assembly, and those that its machines log to, wherever they are. */
function logGroupsOf(resources: DeployedResources): ReadonlySet<string> {
  const deployed = resources.inert.filter(({ type }) => type === 'AWS::Logs::LogGroup');
  const destinations = resources
    .of(STATE_MACHINE)
    .flatMap(({ loggingConfiguration }) => loggingConfiguration?.destinations ?? []);
  const named = destinations.map(({ cloudWatchLogsLogGroup }) => cloudWatchLogsLogGroup.logGroupArn);
  return new Set([...deployed.flatMap(({ names }) => names), ...named]);
}
