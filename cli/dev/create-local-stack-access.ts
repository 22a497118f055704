import type { FunctionItem, RuleItem } from '@onceflow/console';
import type { LocalStack, Message } from '@onceflow/local';
import { exampleOf } from '../app/example';
import { lastOf } from '../arns';
import { keptInQueue } from '../definition/claims';
import { statesIn } from '../definition/states';
import type { Faults } from './faults';
import type { EventToSend, LocalStackAccess } from './local-stack-access';
import type { RecentActivity } from './recent-activity';

/** What the page shows of a stack that runs in this process, and may do to it. */
export function createLocalStackAccess(
  stack: LocalStack,
  recent: RecentActivity,
  faults: Faults,
): LocalStackAccess {
  const { assembly, eventBuses, queues } = stack;
  return {
    now: () => stack.now(),
    rules: () => [
      ...assembly.rules.map(rule => ruleItem(rule, stack)),
      ...assembly.schedules.map(schedule => scheduleItem(schedule, stack)),
    ],
    functions: () => assembly.functions.map(({ name, arn }) => functionItem(name, arn, stack, recent)),
    dispatchers: () =>
      assembly.stateMachines.flatMap(({ name, definitionText }) => {
        const url = keptInQueue(definitionText);
        return url === undefined ? [] : [{ name, queue: lastOf(url) }];
      }),
    deliveries: () => recent.deliveries,
    messages: queue => queues.peek(queue)?.map(messageOf),
    events: () => ({
      buses: ['default', ...assembly.eventBuses.map(({ name }) => name)],
      example: eventFor(assembly),
    }),
    async sendEvent({ bus, source, detailType, detail }) {
      const [entry] = (await eventBuses.putEvents([{ eventBusName: bus, source, detailType, detail }]))
        .Entries;
      if (entry === undefined) return { rejection: 'there is no answer' };
      return 'EventId' in entry
        ? { id: entry.EventId }
        : { rejection: `${entry.ErrorCode}: ${entry.ErrorMessage}` };
    },
    skipTime: ms => stack.skipTime(ms),
    logged: executionArn => stack.logs.history(executionArn),
    taskStates(stateMachine) {
      const machine = assembly.stateMachines.find(({ name }) => name === stateMachine);
      return machine === undefined ? [] : taskStatesIn(JSON.parse(machine.definitionText));
    },
    faults: () => faults.armed,
    armFault: fault => faults.arm(fault),
    disarmFault: id => faults.disarm(id),
  };
}

type Assembly = LocalStack['assembly'];

function ruleItem(rule: Assembly['rules'][number], { schedules }: LocalStack): RuleItem {
  const { name, eventBusName, enabled, pattern, schedule, targets } = rule;
  return {
    name,
    bus: lastOf(eventBusName),
    isEnabled: enabled,
    when: schedule ?? JSON.stringify(pattern),
    nextAt: schedule === undefined ? null : (schedules.nextAt(name) ?? null),
    targets: targets.map(targetItem),
  };
}

/** A schedule of EventBridge Scheduler, which is on no bus. */
function scheduleItem(schedule: Assembly['schedules'][number], { schedules }: LocalStack): RuleItem {
  const { name, enabled, expression, timeZone, target } = schedule;
  return {
    name,
    bus: 'Scheduler',
    isEnabled: enabled,
    when: timeZone === undefined ? expression : `${expression} ${timeZone}`,
    nextAt: schedules.nextAt(name) ?? null,
    targets: [targetItem(target)],
  };
}

function targetItem({ arn, deadLetterArn }: Assembly['schedules'][number]['target']) {
  return {
    name: lastOf(arn),
    deadLetterQueue: deadLetterArn === undefined ? null : lastOf(deadLetterArn),
  };
}

function functionItem(
  name: string,
  arn: string,
  { assembly }: LocalStack,
  recent: RecentActivity,
): FunctionItem {
  const sources = assembly.queueSources.filter(({ functionName }) => [name, arn].includes(functionName));
  return { name, takesFrom: sources.map(({ queueArn }) => lastOf(queueArn)), ...recent.of(name) };
}

function messageOf(message: Message): NonNullable<ReturnType<LocalStackAccess['messages']>>[number] {
  const { messageId, body, messageAttributes = {}, sentAt, receiveCount, deadLetterQueueSourceArn } = message;
  const texts = Object.entries(messageAttributes).flatMap(([name, attribute]) =>
    'StringValue' in attribute ? [[name, attribute.StringValue] as const] : [],
  );
  const givenUpBy = deadLetterQueueSourceArn;
  return { messageId, body, attributes: Object.fromEntries(texts), sentAt, receiveCount, givenUpBy };
}

/** An event that the first workflow would take, as far as its definition says what that is. */
function eventFor({ stateMachines, rules }: Assembly): EventToSend {
  const { source, detail, 'detail-type': type } = exampleOf(stateMachines, rules)?.input ?? {};
  const matching = rules.find(
    ({ pattern }) => Array.isArray(pattern?.['source']) && pattern['source'].includes(source ?? ''),
  );
  return {
    bus: lastOf(matching?.eventBusName ?? 'default'),
    source: typeof source === 'string' ? source : '',
    detailType: typeof type === 'string' ? type : '',
    detail: JSON.stringify(detail ?? {}, null, 2),
  };
}

/** The names of the Task states of a machine, those within others as well. */
function taskStatesIn(machine: unknown): readonly string[] {
  return statesIn(machine).flatMap(({ name, state }) => (state['Type'] === 'Task' ? [name] : []));
}
