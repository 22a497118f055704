import { App, Duration, Stack } from 'aws-cdk-lib';
import { LambdaRestApi } from 'aws-cdk-lib/aws-apigateway';
import { AttributeType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus, Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { SfnStateMachine } from 'aws-cdk-lib/aws-events-targets';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { SqsSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import {
  DefinitionBody,
  DistributedMap,
  IntegrationPattern,
  Pass,
  ProvideItems,
  QueryLanguage,
  StateMachine,
  StateMachineType,
  TaskInput,
  Wait,
  WaitTime,
} from 'aws-cdk-lib/aws-stepfunctions';
import {
  DynamoAttributeValue,
  DynamoPutItem,
  LambdaInvoke,
  SqsSendMessage,
} from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { Construct } from 'constructs';

const CHARGE = 'exports.handler = async ({ orderId }) => ({ receipt: `r-${orderId}` });';
const STARTED_BY_QUEUE = 'exports.handler = async ({ Records }) => { console.log(Records[0].body); };';

/** A construct of several resources: the orders of a shop, and what becomes of them. */
class Orders extends Construct {
  constructor(scope: Stack, id: string) {
    super(scope, id);
    const partitionKey = { name: 'orderId', type: AttributeType.STRING };
    const table = new Table(this, 'Table', { partitionKey });
    const charge = newFunction(this, 'ChargeFunction', CHARGE);
    const save = DynamoPutItem.jsonata(this, 'Save order', {
      table,
      item: { orderId: DynamoAttributeValue.fromString('{% $states.input.orderId %}') },
      outputs: '{% $states.input %}',
    }).addRetry({ errors: ['DynamoDB.SdkClientException'], interval: Duration.seconds(2) });
    const think = Wait.jsonata(this, 'Think', { time: WaitTime.duration(Duration.days(1)) });
    const invoke = LambdaInvoke.jsonata(this, 'Charge', {
      lambdaFunction: charge,
      payload: TaskInput.fromText('{% $states.input %}'),
      outputs: '{% $states.result.Payload %}',
    });
    const machine = newMachine(this, 'Machine', save.next(think).next(invoke));
    const bus = new EventBus(this, 'Bus');
    new Rule(this, 'Placed', {
      eventBus: bus,
      eventPattern: { source: ['shop'] },
      targets: [new SfnStateMachine(machine, { input: RuleTargetInput.fromEventPath('$.detail') })],
    });
    const report = newMachine(this, 'Report', Pass.jsonata(this, 'Sum', { outputs: { sum: 7 } }));
    new Rule(this, 'EachDay', {
      schedule: Schedule.rate(Duration.days(1)),
      targets: [new SfnStateMachine(report)],
    });
  }
}

/** Synthesizes the app that the tests of this folder are about; answers its directory. */
export function synthesizeShop(): string {
  const app = new App();
  const stack = new Stack(app, 'Shop');
  new Orders(stack, 'Orders');
  const inbox = new Queue(stack, 'Inbox');
  const taker = newFunction(stack, 'Taker', STARTED_BY_QUEUE);
  taker.addEventSource(new SqsEventSource(inbox));
  const news = new Topic(stack, 'News');
  const mail = new Queue(stack, 'Mail');
  news.addSubscription(new SqsSubscription(mail, { rawMessageDelivery: true }));
  new LambdaRestApi(stack, 'Api', {
    handler: newFunction(
      stack,
      'Answer',
      'exports.handler = async ({ body }) => ({ statusCode: 201, body: JSON.stringify({ got: JSON.parse(body) }) });',
    ),
  });
  const ask = SqsSendMessage.jsonata(stack, 'Ask', {
    queue: mail,
    messageBody: TaskInput.fromText('{% $states.context.Task.Token %}'),
    integrationPattern: IntegrationPattern.WAIT_FOR_TASK_TOKEN,
  });
  newMachine(stack, 'Approval', ask);
  const quick = LambdaInvoke.jsonata(stack, 'Quick', { lambdaFunction: taker });
  newMachine(stack, 'Short', quick, StateMachineType.EXPRESS);
  const each = LambdaInvoke.jsonata(stack, 'One', { lambdaFunction: taker });
  const many = DistributedMap.jsonata(stack, 'Many', { items: ProvideItems.jsonArray([{ n: 1 }, { n: 2 }]) });
  newMachine(stack, 'Distributed', many.itemProcessor(each));
  return app.synth().directory;
}

function newFunction(scope: Construct, id: string, code: string): LambdaFunction {
  return new LambdaFunction(scope, id, {
    runtime: Runtime.NODEJS_24_X,
    handler: 'index.handler',
    code: Code.fromInline(code),
  });
}

function newMachine(
  scope: Construct,
  id: string,
  chain: Parameters<typeof DefinitionBody.fromChainable>[0],
  stateMachineType = StateMachineType.STANDARD,
): StateMachine {
  return new StateMachine(scope, id, {
    definitionBody: DefinitionBody.fromChainable(chain),
    queryLanguage: QueryLanguage.JSONATA,
    stateMachineType,
  });
}
