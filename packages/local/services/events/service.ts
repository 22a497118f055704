import { LocalError } from '../../local-error';
import type { LocalService, ServiceDefinition } from '../local-service';
import { eventsRoute } from './api';
import { createEventBuses, type EventBuses } from './buses';
import { EVENT_BUS, EVENTS_RESOURCE_TYPES, RULE } from './cloudformation';
import { eventsIntegrations } from './integrations';
import { RuleDeliveries } from './rule-deliveries';
import { SavedDeliveries } from './saved-deliveries';
import { Schedules } from './schedules';

/** The EventBridge of a stack. */
export interface EventsService extends LocalService {
  readonly eventBuses: EventBuses;
  readonly schedules: Schedules;
}

/** EventBridge: buses, with rules that match events or fire by themselves. */
export const EVENTS: ServiceDefinition<EventsService> = {
  resourceTypes: EVENTS_RESOURCE_TYPES,
  open({ environment, resources, clock, ids, activity, interceptors, services, directory }) {
    const saved = directory && new SavedDeliveries(directory);
    let left: Awaited<ReturnType<SavedDeliveries['load']>> = [];
    const deliveries = new RuleDeliveries({
      services,
      notRun: resources.notRun,
      clock,
      activity,
      random: ids.fork('deliveries').random,
      ...(interceptors.deliveries && { interceptor: interceptors.deliveries }),
      ...(saved && { saved }),
    });
    const eventBuses = createEventBuses({
      ...environment,
      buses: resources.of(EVENT_BUS).map(({ name }) => name),
      rules: resources.of(RULE),
      deliver: (target, input, event, rule) => deliveries.deliver(target, input, event, rule),
      onNoInput: (target, reason, event, rule) => deliveries.discard(target, reason, event, rule),
      ...(saved && { written: () => saved.added() }),
      clock,
      newId: ids.fork('events').uuid,
    });
    requireNoProblems(eventBuses);
    const schedules = new Schedules({ eventBuses, clock, activity });
    return {
      eventBuses,
      schedules,
      integrations: eventsIntegrations(eventBuses.putEvents),
      route: eventsRoute(eventBuses),
      sdkName: 'EVENTBRIDGE',
      async restore() {
        if (saved) left = await saved.load();
      },
      start() {
        schedules.start();
        deliveries.resume(left);
      },
      async close() {
        schedules.close();
        await deliveries.close();
      },
    };
  },
};

function requireNoProblems({ problems }: EventBuses): void {
  if (problems.length === 0) return;
  throw new LocalError(
    'InvalidRule',
    problems.map(({ rule, message }) => `${rule}: ${message}`),
  );
}
