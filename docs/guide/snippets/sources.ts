import { type IEventBus, Schedule } from 'aws-cdk-lib/aws-events';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { type IdempotentWorkflow, Source } from 'onceflow';

/** A workflow that is started from an event bus, and by messages as well. */
export function startFromBusAndQueue(payments: IdempotentWorkflow, bus: IEventBus, queue: IQueue): void {
  // #region bus-and-queue
  payments.startFrom(Source.eventBridge(bus, { source: ['shop.orders'], detailType: ['OrderPlaced'] }));
  payments.startFrom(Source.queue(queue, { batchSize: 10, maxConcurrency: 20 }));
  // #endregion
}

/** Messages that are gone when their executions have started. */
export function startAndForget(payments: IdempotentWorkflow, queue: IQueue): void {
  // #region started
  payments.startFrom(Source.queue(queue, { deleteWhen: 'started' }));
  // #endregion
}

/** A workflow whose key or step needs the time of the event. */
export function startWithTime(reminders: IdempotentWorkflow, bus: IEventBus): void {
  // #region keep
  reminders.startFrom(Source.eventBridge(bus, { source: ['shop.reminders'] }, { keep: ['time'] }));
  // #endregion
}

/** A workflow whose key is the scheduled time, `{% $states.input.time %}`. */
export function startEveryHour(report: IdempotentWorkflow): void {
  // #region schedule
  report.startFrom(Source.schedule(Schedule.cron({ minute: '0' })));
  // #endregion
}
