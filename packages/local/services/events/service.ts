import type { ResourceType, ResourceTypes } from '../../assembly/types';
import { LocalError } from '../../local-error';
import type { LocalService, ServiceDefinition } from '../local-service';
import { eventsRoute } from './api';
import { createEventBuses, type EventBuses } from './buses';
import { EVENT_BUS, RULE } from './cloudformation';
import { customBusRoute } from './custom/api';
import { CustomBuses } from './custom/buses';
import { CUSTOM_BUS, SUBSCRIBER } from './custom/cloudformation';
import { eventsIntegrations } from './integrations';
import { RuleDeliveries } from './rule-deliveries';
import type { RuleProblem, ScheduledRule } from './rules';
import { SavedDeliveries } from './saved-deliveries';
import { SCHEDULE, SCHEDULE_GROUP } from './scheduler/cloudformation';
import { readySchedule } from './scheduler/fire';
import { type Schedule, Schedules } from './schedules';

/** The types of CloudFormation that belong to EventBridge, and to EventBridge Scheduler. */
const EVENTS_RESOURCE_TYPES: ResourceTypes = new Map<string, ResourceType>([
  ['AWS::Events::EventBus', EVENT_BUS],
  ['AWS::Events::Rule', RULE],
  ['AWS::Events::EventBusPolicy', { attributes: {}, inert: true }],
  ['AWS::EventsV2::EventBus', CUSTOM_BUS],
  ['AWS::EventsV2::Subscriber', SUBSCRIBER],
  ['AWS::EventsV2::ResourcePolicy', { attributes: {}, inert: true }],
  ['AWS::Scheduler::Schedule', SCHEDULE],
  ['AWS::Scheduler::ScheduleGroup', SCHEDULE_GROUP],
]);

/** The EventBridge of a stack. */
export interface EventsService extends LocalService {
  readonly eventBuses: EventBuses;
  readonly customBuses: CustomBuses;
  readonly schedules: Schedules;
}

/** EventBridge: buses, with rules that match events or fire by themselves, and the schedules of its Scheduler. */
export const EVENTS: ServiceDefinition<EventsService> = {
  resourceTypes: EVENTS_RESOURCE_TYPES,
  open({
    environment,
    resources,
    clock,
    ids,
    work,
    interceptors,
    services,
    directory,
    evaluator,
    batchOfOne,
  }) {
    const saved = directory && new SavedDeliveries(directory);
    let left: Awaited<ReturnType<SavedDeliveries['load']>> = [];
    const deliveries = new RuleDeliveries({
      services,
      notRun: resources.notRun,
      clock,
      work,
      random: ids.fork('deliveries').random,
      ...(interceptors.deliveries && { interceptor: interceptors.deliveries }),
      ...(saved && { saved }),
    });
    const eventBuses = createEventBuses({
      ...environment,
      buses: resources.of(EVENT_BUS).map(({ name }) => name),
      rules: resources.of(RULE),
      deliveries,
      clock,
      newId: ids.fork('events').uuid,
    });
    const customBuses = new CustomBuses({
      ...environment,
      buses: resources.of(CUSTOM_BUS),
      subscribers: resources.of(SUBSCRIBER),
      deliveries,
      evaluator,
      clock,
      newId: ids.fork('custom-events').uuid,
      batchOfOne,
    });
    const firing = { ...environment, deliveries, newId: ids.fork('scheduler').uuid };
    const ready = resources.of(SCHEDULE).map(spec => [spec.name, readySchedule(spec, firing)] as const);
    const wrong = ready.flatMap(([rule, one]) => ('problem' in one ? [{ rule, message: one.problem }] : []));
    requireNoProblems([...eventBuses.problems, ...wrong]);
    const schedules = new Schedules({
      schedules: [
        ...ready.flatMap(([, one]) => ('problem' in one ? [] : [one])),
        ...eventBuses.scheduled.map(rule => scheduleOf(rule, eventBuses)),
      ],
      clock,
      work,
    });
    return {
      eventBuses,
      customBuses,
      schedules,
      integrations: eventsIntegrations(eventBuses.putEvents),
      route: eventsRoute(eventBuses),
      sdkName: 'EVENTBRIDGE',
      further: [{ route: customBusRoute(customBuses), sdkName: 'EVENTBRIDGEV2' }],
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

function scheduleOf(rule: ScheduledRule, eventBuses: EventBuses): Schedule {
  const { arn, name, enabled, schedule } = rule;
  return { arn, name, enabled, next: schedule.next, fire: time => eventBuses.fire(rule, time) };
}

function requireNoProblems(problems: readonly RuleProblem[]): void {
  if (problems.length === 0) return;
  throw new LocalError(
    'InvalidRule',
    problems.map(({ rule, message }) => `${rule}: ${message}`),
  );
}
