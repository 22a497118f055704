import { type App, Duration, Stack } from 'aws-cdk-lib';
import { AuthorizationType } from 'aws-cdk-lib/aws-apigateway';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { CfnEventBus } from 'aws-cdk-lib/aws-eventsv2';
import { Code, type IFunction, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import {
  Choice,
  Condition,
  DefinitionBody,
  Fail,
  type IChainable,
  Map as MapState,
  Pass,
  ProvideItems,
  QueryLanguage,
  StateMachine,
  TaskInput,
  Timeout,
  Wait,
  WaitTime,
} from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import {
  FailureDestination,
  IdempotentFragment,
  IdempotentWorkflow,
  type IdempotentWorkflowProps,
  OnFailed,
  OnInProgress,
  RecordTable,
  Recovery,
  Redrive,
  Results,
  Source,
  SuccessDestination,
} from '../../../infra/index';
import { HttpSource } from '../../../infra/sources/http-source';
import { VARIANTS, type VariantName } from './variants';

/** For how long what the chain has begun may work on: the timeout of its function, and what a start takes. */
const CHAIN_TIMEOUT = Duration.seconds(40);

/** For how long the function may work before a deployment, and again when that is rolled back. */
const FORMER_FUNCTION_TIMEOUT = Duration.minutes(1);

/** The names stay when another definition is deployed: to each of them the other one's records are its own. */
const namesThatStay = (stack: Stack): Settings => ({
  stateMachineName: 'orders',
  table: new RecordTable(stack, 'Records', { tableName: 'records' }),
});

/** What each variant sets otherwise than the reference app. */
type Settings = Partial<IdempotentWorkflowProps>;

const SETTINGS: Readonly<
  Record<Exclude<VariantName, FragmentName>, Settings | ((stack: Stack, charge: IFunction) => Settings)>
> = {
  express: { type: 'EXPRESS' },
  'at-most-once': { delivery: 'at-most-once' },
  'stored-failure': { onFailedBefore: OnFailed.returnStoredFailure() },
  wait: { onDuplicateInProgress: OnInProgress.wait(Duration.seconds(3)) },
  retry: { retry: { errors: ['PaymentDeclined'], maxAttempts: 1 } },
  'on-failure': stack => ({
    delivery: 'at-most-once',
    onFailure: FailureDestination.queue(new Queue(stack, 'Failures'), { rejections: true }),
    failedRetention: Duration.days(30),
  }),
  'on-success': stack => ({
    delivery: 'at-most-once',
    onSuccess: SuccessDestination.queue(new Queue(stack, 'Results')),
  }),
  'composite-key': { idempotencyKey: ['{% $states.input.detail.orderId %}', '{% $states.input.source %}'] },
  timeout: { timeout: Duration.hours(1) },
  results: stack => ({ results: Results.inBucket(new Bucket(stack, 'Results'), { maxInRecord: 0 }) }),
  'redrive-direct': { redrive: Redrive.direct() },
  recovery: { recovery: Recovery.automatic(), retention: Duration.days(30) },
  'recovery-on-failure': stack => ({
    recovery: Recovery.automatic(),
    onFailure: FailureDestination.queue(new Queue(stack, 'Failures')),
  }),
  'recovery-at-most-once': {
    recovery: Recovery.automatic(),
    delivery: 'at-most-once',
    maxRedrives: 1,
  },
  'redeliver-failed': stack => ({
    recovery: Recovery.automatic({ redeliverFailed: { maxAttempts: 2, delay: Duration.seconds(10) } }),
    onFailure: FailureDestination.queue(new Queue(stack, 'Failures')),
  }),
  'redeliver-failed-recovered': {
    recovery: Recovery.automatic({ redeliverFailed: { maxAttempts: 1, delay: Duration.seconds(10) } }),
  },
  'by-name': stack => ({
    onFailure: FailureDestination.queue(new Queue(stack, 'Failures')),
  }),
  'without-key': stack => ({
    idempotencyKey: '{% $states.input.detail.orderNumber %}',
    onFailure: FailureDestination.queue(new Queue(stack, 'Failures'), { rejections: true }),
  }),
  'custom-event-bus': {},
  'express-custom-event-bus': { type: 'EXPRESS' },
  'front-door': {},
  'front-door-express': { type: 'EXPRESS' },
  'recovery-redrives': { recovery: Recovery.automatic(), maxRedrives: 1 },
  deployment: namesThatStay,
  'deployment-later': namesThatStay,
  rollback: namesThatStay,
  'rollback-later': namesThatStay,
  chain: (stack, charge) => ({ step: chainOf(stack, charge), stepTimeout: CHAIN_TIMEOUT }),
  'chain-in-jsonpath': (stack, charge) => ({
    step: jsonPathChainOf(stack, charge),
    stepTimeout: CHAIN_TIMEOUT,
  }),
  'chain-retried': (stack, charge) => ({
    step: chainOf(stack, charge),
    stepTimeout: CHAIN_TIMEOUT,
    retry: { errors: ['States.ALL'], maxAttempts: 1 },
  }),
};

/** The body is the workflow's input, and the workflow's own key says what a duplicate is. */
const HTTP = {
  idempotencyKey: ['{% $states.input.principal %}', '{% $states.input.body.id %}'],
  input: '{% $states.input.body %}',
  waitUpTo: Duration.seconds(2),
  methodOptions: { authorizationType: AuthorizationType.NONE },
};

/** As long as a request may wait for a call: there is no other wait. */
const CALLED = { ...HTTP, waitUpTo: Duration.seconds(20) };

/** Two reads stand for all that follow at once: each is a state of the exploration. */
const READS_AT_ONCE = 2;

/** How many items a Map with a fragment is at, at the same time, and the language of its state machine and its step. */
const FRAGMENTS = {
  fragment: { itemsAtOnce: 2, language: QueryLanguage.JSONATA },
  'fragment-in-turn': { itemsAtOnce: 1, language: QueryLanguage.JSONATA },
  'fragment-in-jsonpath': { itemsAtOnce: 2, language: QueryLanguage.JSON_PATH },
} as const satisfies Partial<Record<VariantName, object>>;

type FragmentName = keyof typeof FRAGMENTS;

/** Charges, and lets that settle. Whatever goes wrong has one name then, also where the function works on. */
function chainOf(stack: Stack, charge: IFunction): IChainable {
  const task = LambdaInvoke.jsonata(stack, 'Charge', {
    lambdaFunction: charge,
    payload: TaskInput.fromText('{% $states.input %}'),
    outputs: '{% $states.result.Payload %}',
    taskTimeout: Timeout.duration(CHAIN_TIMEOUT),
    retryOnServiceExceptions: false,
  });
  task.addCatch(Fail.jsonata(stack, 'Not charged', { error: 'PaymentDeclined' }));
  return task.next(Wait.jsonata(stack, 'Settle', { time: WaitTime.duration(Duration.seconds(5)) }));
}

/** The same in JSONPath, by what paths have of their own: results and errors beside the input, and a choice by them. */
function jsonPathChainOf(stack: Stack, charge: IFunction): IChainable {
  const task = new LambdaInvoke(stack, 'Charge', {
    lambdaFunction: charge,
    resultSelector: { 'answer.$': '$.Payload' },
    resultPath: '$.charge',
    taskTimeout: Timeout.duration(CHAIN_TIMEOUT),
    retryOnServiceExceptions: false,
  });
  const settle = new Wait(stack, 'Settle', { time: WaitTime.duration(Duration.seconds(5)) });
  const isCharged = new Choice(stack, 'Charged?')
    .when(Condition.isPresent('$.error'), new Fail(stack, 'Not charged', { errorPath: '$.error.Error' }))
    .otherwise(settle.next(new Pass(stack, 'Answer', { outputPath: '$.charge.answer' })));
  return task.addCatch(isCharged, { resultPath: '$.error' }).next(isCharged);
}

/** A Map that charges the same order twice. A failure of one item is its output, and the other item continues. */
function defineFragment(stack: Stack, charge: IFunction, name: FragmentName): void {
  const { itemsAtOnce: maxConcurrency, language: queryLanguage } = FRAGMENTS[name];
  const isJsonPath = queryLanguage === QueryLanguage.JSON_PATH;
  const fragment = new IdempotentFragment(stack, 'Pay', {
    table: new RecordTable(stack, 'Records'),
    idempotencyKey: '{% $states.input.detail.orderId %}',
    step: isJsonPath ? jsonPathChainOf(stack, charge) : charge,
    ...(isJsonPath && { stepTimeout: CHAIN_TIMEOUT }),
  });
  fragment.addCatch(Pass.jsonata(stack, 'Not paid'), {
    outputs: { Error: '{% $states.errorOutput.Error %}' },
  });
  const items = ProvideItems.jsonata('{% [$states.input, $states.input] %}');
  const map = MapState.jsonata(stack, 'Each item', { items, maxConcurrency }).itemProcessor(fragment);
  const machine = new StateMachine(stack, 'Orders', {
    queryLanguage,
    definitionBody: DefinitionBody.fromChainable(map),
  });
  fragment.grantTo(machine);
}

/** Defines a stack for each variant, under its name. */
export function defineVariants(app: App): void {
  for (const { name } of VARIANTS) defineVariant(new Stack(app, name), name);
}

function defineVariant(stack: Stack, name: VariantName): void {
  const charge = new LambdaFunction(stack, 'ChargePaymentFunction', {
    runtime: Runtime.NODEJS_22_X,
    handler: 'index.handler',
    code: Code.fromInline('exports.handler = async () => ({})'),
    timeout: name.startsWith('rollback') ? FORMER_FUNCTION_TIMEOUT : Duration.seconds(10),
  });
  if (name in FRAGMENTS) {
    defineFragment(stack, charge, name as FragmentName);
    return;
  }
  const settings = SETTINGS[name as Exclude<VariantName, FragmentName>];
  const workflow = new IdempotentWorkflow(stack, 'ChargePayment', {
    idempotencyKey: '{% $states.input.detail.orderId %}',
    payload: "{% $states.input.detail.{'amount': amount, 'currency': currency} %}",
    step: charge,
    ...(typeof settings === 'function' ? settings(stack, charge) : settings),
  });
  if (name === 'by-name' || name === 'without-key') {
    workflow.startFrom(Source.eventBridge(new EventBus(stack, 'Bus'), { source: ['shop.orders'] }));
  }
  if (name.endsWith('custom-event-bus')) {
    workflow.startFrom(Source.customEventBus(new CfnEventBus(stack, 'Bus', { name: 'orders' }), {}));
  }
  if (name === 'front-door') workflow.startFrom(new HttpSource('orders', HTTP, READS_AT_ONCE));
  if (name === 'front-door-express') workflow.startFrom(Source.http('orders', CALLED));
}
