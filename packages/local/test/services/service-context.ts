import type { DeployedResources } from '../../assembly/read-resources';
import { SHARED_THREADS } from '../../runtime/evaluation/thread-pool';
import { seededIds } from '../../runtime/ids';
import { VirtualClock } from '../../runtime/time/virtual-clock';
import { WorkTracker } from '../../runtime/time/work-tracker';
import type { ServiceContext } from '../../services/local-service';
import { ServiceRegistry } from '../../services/service-registry';

const NOTHING_DEPLOYED: DeployedResources = { of: () => [], notRun: [], inert: [] };

/** What a service works with that is alone in its stack, with nothing deployed. */
export function contextOf(more: Partial<ServiceContext> = {}): ServiceContext {
  const ids = seededIds('context');
  return {
    environment: { region: 'us-east-1', account: '111111111111' },
    resources: NOTHING_DEPLOYED,
    clock: new VirtualClock(0),
    ids,
    newRequestId: ids.fork('requests').uuid,
    work: new WorkTracker(),
    evaluator: SHARED_THREADS,
    interceptors: {},
    log: () => undefined,
    directory: undefined,
    executions: { keep: 100, stop: [] },
    http: { port: 0, principal: 'local' },
    batchOfOne: 'event',
    services: new ServiceRegistry(),
    ...more,
  };
}
