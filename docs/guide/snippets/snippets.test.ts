import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AttributeType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Code, Function as Lambda, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Pass } from 'aws-cdk-lib/aws-stepfunctions';
import { IdempotentFragment, IdempotentWorkflow, RecordTable, Source } from 'onceflow';
import { announces, packs, reserves } from './carrying';
import { ship, shipInJsonPath } from './chain';
import { orders, ordersInJsonPath } from './fragment';
import { aroundTheHandler, behindHttpWithPowertools, withTheKeyInAHeader } from './handler';
import { chargeWithEvidence, keepReports, sendInvoices, welcome } from './keys';
import { counted, monitored } from './monitoring';
import { chargeOnSingleTable } from './own-table';
import { atMostOnce, express, recovers, redelivers, retries, tells, waits } from './policies';
import { startEveryHour, startFromBusAndQueue, startWithTime } from './sources';

const TIME = '{% $states.input.time %}';

let stack: Stack;
let step: Lambda;
let bus: EventBus;
beforeEach(() => {
  stack = new Stack(new App({ context: { 'aws:cdk:bundling-stacks': [] } }), 'Snippets');
  const code = Code.fromInline('exports.handler = async () => 1;');
  step = new Lambda(stack, 'Step', { runtime: Runtime.NODEJS_22_X, handler: 'index.handler', code });
  bus = new EventBus(stack, 'Bus');
});
const workflow = (id: string, idempotencyKey: string) =>
  new IdempotentWorkflow(stack, id, { idempotencyKey, step });
const orderWorkflow = () => workflow('Pay', '{% $states.input.detail.orderId %}');
const parcels = () =>
  new Table(stack, 'Parcels', { partitionKey: { name: 'parcel', type: AttributeType.STRING } });
const shop = () => Table.fromTableName(stack, 'Shop', 'shop');
const reserve = () => {
  const table = new RecordTable(stack, 'Records');
  return new IdempotentFragment(stack, 'Reserve', {
    table,
    idempotencyKey: '{% $states.input.orderId %}',
    step,
  });
};
const queue = () => {
  const deadLetterQueue = { queue: new Queue(stack, 'Dead'), maxReceiveCount: 3 };
  return new Queue(stack, 'Queue', { deadLetterQueue });
};

// Two of those of a Standard workflow are its recovery's.
describe('the snippets of the guide synthesize', () => {
  test.each<[string, number, () => unknown]>([
    ['a composite key', 3, () => sendInvoices(stack, step)],
    ['a payload that is kept', 3, () => chargeWithEvidence(stack, step)],
    ['a key that no name shows', 3, () => welcome(stack, step)],
    ['a payload as the key', 3, () => keepReports(stack, step)],
    ['a handler as it is', 3, () => aroundTheHandler(stack, step)],
    ['a handler with the key in a header', 3, () => withTheKeyInAHeader(stack, step)],
    ['a handler behind HTTP, in its old guard', 4, () => behindHttpWithPowertools(stack, step)],
    ['a chain', 3, () => ship(stack, step, parcels())],
    ['a chain in JSONPath', 3, () => shipInJsonPath(stack, step, parcels())],
    [
      'a bus and a queue, each with a dispatcher',
      5,
      () => startFromBusAndQueue(orderWorkflow(), bus, queue()),
    ],
    ['a step that sends to a FIFO queue', 3, () => packs(stack, new Queue(stack, 'Parcels', { fifo: true }))],
    ['a step that writes into a table', 3, () => reserves(stack, parcels())],
    ['a step that puts an event', 3, () => announces(stack, bus)],
    ['a source that keeps the time', 4, () => startWithTime(workflow('Remind', TIME), bus)],
    ['a schedule', 4, () => startEveryHour(workflow('Report', TIME))],
    ['waiting, and a stored failure', 3, () => waits(stack, step)],
    ['at most once', 3, () => atMostOnce(stack, step)],
    ['retries', 3, () => retries(stack, step)],
    ['failures to a queue', 3, () => tells(stack, step, queue())],
    ['Express', 1, () => express(stack, step)],
    ['a single table', 3, () => chargeOnSingleTable(stack, shop(), step)],
    ['recovery', 3, () => recovers(stack, step)],
    ['redeliver', 4, () => redelivers(stack, step)],
    [
      'metrics and alarms',
      4,
      () => {
        const payments = counted(stack, step, Source.eventBridge(bus, { source: ['shop'] }));
        return monitored(stack, payments, new Topic(stack, 'OnCall'));
      },
    ],
    ['a fragment', 3, () => orders(stack, step, Pass.jsonata(stack, 'Ship'))],
    [
      'a fragment in a state machine in JSONPath',
      1,
      () => ordersInJsonPath(stack, reserve(), new Pass(stack, 'Ship', { inputPath: '$.reservation' })),
    ],
  ])('%s: %i state machines', (_, stateMachines, define) => {
    define();

    Template.fromStack(stack).resourceCountIs('AWS::StepFunctions::StateMachine', stateMachines);
  });
});
