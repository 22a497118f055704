import type { EventPattern, IEventBus } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import type { Construct } from 'constructs';
import { permitEvents } from '../cdk/customer-key';
import { requireOwn } from '../cdk/resource-bounds';
import { rulesTarget } from '../cdk/service-role';
import { DeadLetterQueue } from '../nested/dead-letter-queue';
import { SourceRule } from '../nested/source-rule';
import { startFromOwnQueue } from './own-queue';
import type { Volatile } from './volatile-members';
import type { IStartableWorkflow, IWorkflowSource, SourceOptions } from './workflow-source';

/**
 * Settings of `Source.eventBridge`.
 *
 * @example
 * Source.eventBridge(bus, { source: ['shop.orders'] }, { keep: ['time'] })
 */
export interface EventBridgeSourceOptions extends SourceOptions {
  /**
   * Members of the event that the workflow needs although they differ between deliveries of one event. They are part of
   * what Step Functions compares, so that a delivery of a running execution costs an execution of its own.
   *
   * @default - `id`, `time` and `replay-name` are left out
   */
  readonly keep?: readonly Volatile[];
}

/**
 * Starts the workflow for every event of a rule; the execution's input is the event without what is volatile.
 *
 * An Express workflow gets the unchanged event from a queue that the source creates. An Express execution cannot be
 * described or redriven, so the queue keeps the event until an execution has succeeded.
 *
 * @example
 * workflow.startFrom(Source.eventBridge(bus, { source: ['shop.orders'] }));
 */
export class EventBridgeSource implements IWorkflowSource {
  constructor(
    readonly id: string,
    private readonly rule: { readonly eventBus: IEventBus; readonly eventPattern: EventPattern },
    private readonly volatile: readonly string[],
  ) {}

  bind(scope: Construct, workflow: IStartableWorkflow): void {
    const { eventBus } = this.rule;
    requireOwn('Source.eventBridge', eventBus, eventBus.eventBusArn, scope);
    const dispatcher = workflow.startByKey(scope, {
      volatile: this.volatile,
      envelope: 'eventBridge',
      deadLetterQueue: () => new DeadLetterQueue(scope, 'NotStarted'),
    });
    const queue = workflow.outcomes ? undefined : startFromOwnQueue(scope, workflow);
    const deadLetterQueue = new DeadLetterQueue(scope, 'NotDelivered');
    const target = queue
      ? new SqsQueue(queue, { deadLetterQueue })
      : rulesTarget(dispatcher, { deadLetterQueue });
    const rule = new SourceRule(scope, 'Rule', { ...this.rule, targets: [target] });
    if (queue) rule.node.addDependency(queue);
    permitEvents(scope);
  }
}
