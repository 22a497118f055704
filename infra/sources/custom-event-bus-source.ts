import { Names, Stack, Token } from 'aws-cdk-lib';
import { CfnSubscriber } from 'aws-cdk-lib/aws-eventsv2';
import type { Role } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { EVENTS_AT_ONCE, eventExpression } from '../../state-machine/dispatcher/records-fragment';
import { customBusArn, type ICustomEventBus } from '../../state-machine/options/event-buses';
import { sendPolicies } from '../../state-machine/tasks/send-policies';
import { atSynthesis } from '../../state-machine/template/at-synthesis';
import { validateNames } from '../../state-machine/words/validate-names';
import { grantData } from '../cdk/customer-key';
import { requireOwn } from '../cdk/resource-bounds';
import { serviceRole } from '../cdk/service-role';
import { DeadLetterQueue } from '../nested/dead-letter-queue';
import { countOf, type Kind, requireKind } from '../validation/kinds';
import { type CustomEventBusFilter, filtersOf } from './custom-event-bus-filter';
import { validateKeep } from './volatile-members';
import type { IStartableWorkflow, IWorkflowSource, SourceOptions } from './workflow-source';

/** Members of an event that differ when it is published on two buses, or twice on one. */
const VOLATILE = ['id', 'time'] as const;

/**
 * Settings of `Source.customEventBus`.
 *
 * @example
 * Source.customEventBus(bus, { data: { source: ['shop.orders'] } }, { batchSize: 10 })
 */
export interface CustomEventBusSourceOptions extends SourceOptions {
  /**
   * Members of the event that the workflow needs although they differ between deliveries of one event. They are part of
   * what Step Functions compares, so that a delivery of a running execution costs an execution of its own.
   *
   * @default - `id` and `time` are left out
   */
  readonly keep?: readonly (typeof VOLATILE)[number][];
  /**
   * How many events the bus delivers at once, up to 100, or up to 40 to an Express workflow. Each event has its own
   * claim. If one of them comes again, the bus delivers all again, and the others are duplicates.
   *
   * @default 1
   */
  readonly batchSize?: number;
  /**
   * The first events that a new subscriber delivers: those from now on, or all that the bus still has. With HORIZON, a
   * replaced subscriber loses no event, and events that have run are duplicates.
   *
   * @default LATEST
   */
  readonly startingPosition?: 'LATEST' | 'HORIZON';
}

const OPTIONS: Readonly<Record<keyof CustomEventBusSourceOptions, true>> = {
  id: true,
  keep: true,
  batchSize: true,
  startingPosition: true,
};
const POSITION: Kind = [value => value === 'LATEST' || value === 'HORIZON', "'LATEST' or 'HORIZON'"];
const BATCH_MAX = 100;
/** A subscriber's name has 256 characters at most; a shorter one can be read in the console. */
const NAME_LENGTH = 64;

/**
 * The longest that EventBridge retries. Its defaults are five retries in five minutes, also while the role may not
 * start the target yet.
 */
const RETRY_POLICY = { maxRetryAttempts: 185, maxEventAgeInSeconds: 86_400 };
/** The longest that EventBridge waits for a synchronous execution; the dispatcher ends before. */
const INVOCATION_SECONDS = 30;
/** For all that is not the step: its cold start of up to ten seconds, the claim, and the write of the end. */
const AROUND_THE_STEP_SECONDS = 10;

/**
 * Starts the workflow for every event of a custom event bus, by way of a subscriber.
 *
 * The bus waits for the dispatcher. It delivers events again that could not be started, and no others.
 *
 * For an Express workflow, the bus waits for the end of its executions, at most 30 seconds. It delivers events again
 * whose key is not finished, and no others. The step must take at most 20 seconds.
 *
 * @example
 * workflow.startFrom(Source.customEventBus(bus, { data: { source: ['shop.orders'] } }));
 */
export class CustomEventBusSource implements IWorkflowSource {
  readonly id: string;
  readonly #busArn: string;
  readonly #filters: ReturnType<typeof filtersOf>;

  constructor(
    private readonly eventBus: ICustomEventBus | string,
    filter: CustomEventBusFilter,
    private readonly options: CustomEventBusSourceOptions,
  ) {
    this.#busArn = customBusArn('Source.customEventBus', eventBus);
    this.#filters = filtersOf(filter);
    validateNames('Source.customEventBus', options, OPTIONS);
    const { keep = [], batchSize = 1, startingPosition = 'LATEST' } = options;
    validateKeep(keep, VOLATILE);
    requireKind('batchSize', batchSize, countOf(1, BATCH_MAX));
    requireKind('startingPosition', startingPosition, POSITION);
    this.id = options.id ?? (typeof eventBus === 'string' ? busName(eventBus) : eventBus.node.id);
  }

  bind(scope: Construct, workflow: IStartableWorkflow): void {
    const { eventBus, options } = this;
    requireOwn('Source.customEventBus', typeof eventBus === 'string' ? {} : eventBus, this.#busArn, scope);
    const role = serviceRole(scope, 'DeliveryRole', 'events', 'subscriber/*');
    const dispatcher = dispatcherOf(scope, workflow, role, options);
    const notDelivered = new DeadLetterQueue(scope, 'NotDelivered');
    for (const statement of sendPolicies(notDelivered)) role.addToPolicy(statement);
    const subscriber = new CfnSubscriber(scope, 'Subscriber', {
      // A subscriber that keeps its name and target is updated in place.
      name: Names.uniqueResourceName(scope, { maxLength: NAME_LENGTH, separator: '-' }),
      eventBusArn: this.#busArn,
      type: 'UNORDERED',
      ...(options.startingPosition === 'HORIZON' && {
        startingPosition: 'POINT_IN_TIME',
        pointInTimeConfiguration: { pointType: 'HORIZON' },
      }),
      ...(this.#filters.length > 0 && { filterConfiguration: { filters: this.#filters } }),
      invokeConfiguration: {
        targetArn: dispatcher.stateMachineArn,
        roleArn: role.roleArn,
        stepFunctionsParameters: {
          invocationType: 'REQUEST_RESPONSE',
          invocationTimeoutSeconds: String(INVOCATION_SECONDS),
        },
      },
      transformer: { type: 'RAW' },
      batchConfiguration: { maxBatchSize: options.batchSize ?? 1, maxBatchWindowInSeconds: 0 },
      retryPolicy: RETRY_POLICY,
      onFailureConfiguration: { arn: notDelivered.queueArn },
    });
    // Otherwise the first deliveries use up retries, because the role may not start anything yet.
    subscriber.node.addDependency(role);
    oneAfterTheOther(subscriber);
  }
}

/** The dispatcher that the subscriber of a source in `scope` calls, which its role may call from then on. */
function dispatcherOf(
  scope: Construct,
  workflow: IStartableWorkflow,
  role: Role,
  { keep = [], batchSize = 1 }: CustomEventBusSourceOptions,
) {
  const volatile = VOLATILE.filter(name => !keep.includes(name));
  if (workflow.outcomes === undefined) {
    requireRunAtOnce(batchSize);
    atSynthesis(scope, () => validateUsualDuration(workflow.usualDuration.seconds()));
  }
  const dispatcher = workflow.startByKey(scope, {
    volatile,
    envelope: 'customEventBus',
    record: eventExpression(volatile),
    isRedelivered: true,
    deadLetterQueue: () => new DeadLetterQueue(scope, 'NotStarted'),
  });
  dispatcher.grantStartSyncExecution(role);
  grantData(dispatcher, role);
  return dispatcher;
}

/** The bus waits for all executions of a batch: none of them may wait for another one. */
function requireRunAtOnce(batchSize: number): void {
  if (batchSize <= EVENTS_AT_ONCE) return;
  throw new Error(
    `\`batchSize\` must be at most ${EVENTS_AT_ONCE} for an EXPRESS workflow, got ${batchSize}. The bus waits for its ` +
      'executions, and no more of them run at the same time',
  );
}

function validateUsualDuration(seconds: number): void {
  const longest = INVOCATION_SECONDS - AROUND_THE_STEP_SECONDS;
  if (seconds <= longest) return;
  throw new Error(
    `\`Source.customEventBus\` waits ${INVOCATION_SECONDS} seconds for an EXPRESS workflow, so its step must take at most ` +
      `${longest} seconds here, got ${seconds}: the timeout of its function, or its \`stepTimeout\`, with its retries, or the ` +
      '`OnInProgress.wait`. Use shorter times, a STANDARD workflow, or let the bus send to a queue, with `Source.queue`',
  );
}

/** The name in `arn:aws:events:eu-west-1:111111111111:event-busv2/orders/` and an id. */
function busName(arn: string): string {
  return Token.isUnresolved(arn) ? 'CustomEventBus' : (arn.split('/')[1] ?? arn);
}

/**
 * Lets CloudFormation create the subscribers of a bus in a stack one after the other: EventBridge rejects a creation or
 * deletion beside another one of the same bus.
 */
function oneAfterTheOther(subscriber: CfnSubscriber): void {
  const stack = Stack.of(subscriber);
  const busOf = ({ eventBusArn }: CfnSubscriber) => {
    const { Ref: ref, 'Fn::GetAtt': attribute } = Object(stack.resolve(eventBusArn));
    return ref ?? attribute?.[0] ?? eventBusArn;
  };
  // All before, and not only the last one in the tree: the tree does not have them in the order of their creation.
  const before = stack.node
    .findAll()
    .filter(one => CfnSubscriber.isCfnSubscriber(one))
    .filter(one => one !== subscriber && Stack.of(one) === stack && busOf(one) === busOf(subscriber));
  for (const one of before) subscriber.node.addDependency(one);
}
