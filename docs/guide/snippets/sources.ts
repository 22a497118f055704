import { Duration, TimeZone } from 'aws-cdk-lib';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import type { IStream } from 'aws-cdk-lib/aws-kinesis';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { ScheduleExpression } from 'aws-cdk-lib/aws-scheduler';
import { type ITopic, SubscriptionFilter } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { IdempotentWorkflow, RecordStream, Source } from 'onceflow';

/** A workflow that is started from an event bus, and by messages as well. */
export function startFromBusAndQueue(payments: IdempotentWorkflow, bus: IEventBus, queue: IQueue): void {
  // #region bus-and-queue
  payments.startFrom(Source.eventBridge(bus, { source: ['shop.orders'], detailType: ['OrderPlaced'] }));
  payments.startFrom(Source.queue(queue, { batchSize: 10, maxConcurrency: 20 }));
  // #endregion
}

/** One workflow for events of a bus, with a `detail`, and for messages that are the order itself. */
export function startFromMessagesOfAnotherForm(
  payments: IdempotentWorkflow,
  bus: IEventBus,
  queue: IQueue,
): void {
  // #region input
  payments.startFrom(Source.eventBridge(bus, { source: ['shop.orders'] }));
  payments.startFrom(Source.queue(queue, { input: "{% {'detail': $states.input} %}" }));
  // #endregion
}

/** A workflow for each record that S3 notifies a queue of, split before. */
export function scanObjects(stack: Construct, queue: IQueue, scan: IFunction): void {
  // #region records
  const scans = new IdempotentWorkflow(stack, 'ScanObject', {
    idempotencyKey: [
      '{% $states.input.s3.bucket.name %}',
      '{% $states.input.s3.object.key %}',
      '{% $states.input.s3.object.sequencer %}',
    ],
    step: scan,
  });
  scans.startFrom(Source.queue(queue));
  // #endregion
}

/** A workflow whose queue is subscribed to a topic without raw delivery. */
export function startFromEnvelopes(payments: IdempotentWorkflow, queue: IQueue): void {
  // #region sns-in-sqs
  payments.startFrom(Source.queue(queue, { input: '{% $parse($states.input.Message) %}' }));
  // #endregion
}

/** A workflow that is started by those messages of a topic that are of one shop. */
export function startFromTopic(payments: IdempotentWorkflow, topic: ITopic): void {
  // #region topic
  const shop = SubscriptionFilter.stringFilter({ allowlist: ['eu'] });
  payments.startFrom(Source.topic(topic, { filterPolicy: { shop } }));
  // #endregion
}

/** A workflow that is started in the order of each message group, with steps of a second or so. */
export function startInOrder(payments: IdempotentWorkflow, fifoQueue: IQueue): void {
  // #region fifo
  payments.startFrom(Source.queue(fifoQueue, { checkAfter: Duration.seconds(1) }));
  // #endregion
}

/** A workflow that is started by the records of a stream; its key is `{% $states.input.data.orderId %}`. */
export function startFromStream(payments: IdempotentWorkflow, stream: IStream): void {
  // #region pipe
  const records = RecordStream.kinesis(stream, { startingPosition: 'TRIM_HORIZON' });
  payments.startFrom(Source.pipe(records, { filters: [{ data: { kind: ['OrderPlaced'] } }] }));
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
  report.startFrom(Source.schedule(ScheduleExpression.cron({ minute: '0' })));
  // #endregion
}

/** A workflow that starts at eight by the clocks of a place, spread over a quarter of an hour. */
export function startInTheMorning(report: IdempotentWorkflow): void {
  // #region time-zone
  const atEight = ScheduleExpression.cron({ hour: '8', minute: '0', timeZone: TimeZone.EUROPE_BERLIN });
  report.startFrom(Source.schedule(atEight, { flexibleWindow: Duration.minutes(15) }));
  // #endregion
}
