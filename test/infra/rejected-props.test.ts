import { App, Duration, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { type IStateMachine, Map as MapState, Parallel, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import type { Construct } from 'constructs';
import {
  IdempotentWorkflow,
  type IdempotentWorkflowProps,
  KeepPayload,
  Key,
  OnInProgress,
  Redrive,
  SuccessDestination,
} from '../../infra/index';
import { newStack, someFunction } from '../support/synthesize';

const KEY = '{% $states.input.id %}';

function workflow(scope: Construct, props: Partial<IdempotentWorkflowProps> = {}): IdempotentWorkflow {
  const step = props.step ?? someFunction(scope);
  return new IdempotentWorkflow(scope, 'Pay', { idempotencyKey: KEY, ...props, step });
}

function retried(scope: Construct, retries = 3): LambdaInvoke {
  return LambdaInvoke.jsonata(scope, retries > 0 ? 'Retried' : 'Once', {
    lambdaFunction: LambdaFunction.fromFunctionName(scope, `Function${retries}`, 'charge'),
    retryOnServiceExceptions: retries > 0,
  });
}

describe('former state machines of a stack whose place is known', () => {
  const arn = (place: string) => `arn:aws:states:${place}:stateMachine:Old`;
  const withFormer = (former: (stack: Stack) => string | IStateMachine) => () => {
    const env = { account: '111111111111', region: 'eu-west-1' };
    const stack = new Stack(new App({ context: { 'aws:cdk:bundling-stacks': [] } }), 'Test', { env });
    workflow(stack, { formerStateMachines: [former(stack)] });
  };

  test('in its account and region: accepted', () => {
    expect(withFormer(() => arn('eu-west-1:111111111111'))).not.toThrow();
    expect(withFormer(stack => StateMachine.fromStateMachineName(stack, 'Old', 'Old'))).not.toThrow();
  });

  test.each(['us-east-1:111111111111', 'eu-west-1:222222222222'])('in %s: rejected', place => {
    const [region, account] = place.split(':');
    const rejection =
      '`formerStateMachines` must be in the account and region of the stack, 111111111111 and eu-west-1, ' +
      `because onceflow looks up their executions there; got '${arn(place)}' of ${account} and ${region}. Leave it out`;
    expect(withFormer(() => arn(place))).toThrow(rejection);
    expect(withFormer(stack => StateMachine.fromStateMachineArn(stack, 'Old', arn(place)))).toThrow(
      rejection,
    );
  });
});

describe('the settings of an IdempotentWorkflow', () => {
  test.each<[string, Partial<IdempotentWorkflowProps>]>([
    ['a scope of 255 bytes', { scope: `${'ü'.repeat(127)}x` }],
    ['an Express workflow of five minutes', { type: 'EXPRESS', timeout: Duration.minutes(5) }],
    ['a timeout with just enough room', { timeout: Duration.seconds(129) }],
    [
      'at most once: room for one step less, as nobody takes over from an owner that was deleted',
      { delivery: 'at-most-once', timeout: Duration.seconds(96) },
    ],
    [
      'a wait one second shorter than the timeout',
      { onDuplicateInProgress: OnInProgress.wait(Duration.seconds(179)), timeout: Duration.minutes(3) },
    ],
  ])('%s: accepted', (_, props) => {
    expect(() => workflow(newStack(), props)).not.toThrow();
  });

  const rejected: [string, Partial<IdempotentWorkflowProps>, RegExp][] = [
    [
      'a key without delimiters',
      { idempotencyKey: '$.id' },
      /`idempotencyKey` must be a JSONata expression in \{% %\}, got \$\.id\. Write \{% \$states\.input\.id %\}$/,
    ],
    [
      'JSONata without delimiters',
      { payload: '$states.input.detail' },
      /got \$states\.input\.detail\. Write \{% \$states\.input\.detail %\}$/,
    ],
    [
      'an object in place of an expression',
      { payload: { amount: 1 } as unknown as string },
      /such as \{% \$states\.input\.detail\.orderId %\}; got \{"amount":1\}/,
    ],
    [
      'a payload as the key that is no expression',
      { idempotencyKey: Key.ofPayload('$.detail') },
      /`Key\.ofPayload` must be a JSONata expression in \{% %\}.*got \$\.detail/,
    ],
    [
      'a payload as the key that builds a list',
      { idempotencyKey: Key.ofPayload('{% [$states.input.a, $states.input.b] %}') },
      /`Key\.ofPayload` must not build a list, because missing values are dropped/,
    ],
    [
      'a payload as the key that is the same for all events',
      { idempotencyKey: Key.ofPayload("{% {'a': 1} %}") },
      /`Key\.ofPayload` must read the event/,
    ],
    [
      'a payload that is kept and not compared',
      { keepPayload: true },
      /`keepPayload` keeps what is compared, and nothing is: set `payload`/,
    ],
    [
      'a redaction that is no expression',
      { payload: KEY, keepPayload: KeepPayload.redacted('card') },
      /`KeepPayload\.redacted` must be a JSONata expression in \{% %\}.*got card/,
    ],
    [
      'a redaction that differs between deliveries',
      { payload: KEY, keepPayload: KeepPayload.redacted('{% [$states.input.id, $now()] %}') },
      /`KeepPayload\.redacted` must have the same value for every delivery of an event; it uses \$now/,
    ],
    [
      'what is no KeepPayload',
      { payload: KEY, keepPayload: 'all' as unknown as KeepPayload },
      /`keepPayload` must be true, KeepPayload\.all\(\) or KeepPayload\.redacted\('\{% … %\}'\), got "all"/,
    ],
    [
      'a former state machine that has no such name',
      { formerStateMachines: ['Pay', 'Pay*'] },
      /`formerStateMachines` must be a list of names, ARNs or constructs.*got 'Pay\*'/,
    ],
    [
      'a former state machine that is an execution',
      { formerStateMachines: ['arn:aws:states:us-east-1:111111111111:execution:Pay:order-1'] },
      /`formerStateMachines` must be .*got 'arn:aws:states:us-east-1:111111111111:execution:Pay:order-1'/,
    ],
    [
      'one former state machine that is no list',
      { formerStateMachines: 'Pay' as unknown as string[] },
      /`formerStateMachines` must be a list.*got "Pay"/,
    ],
    [
      'a key that is no JSONata',
      { idempotencyKey: '{% $states.( %}' },
      /`idempotencyKey` is not valid JSONata 2\.0\.6/,
    ],
    [
      'an operator newer than 2.0.6',
      { idempotencyKey: '{% $states.input.a ?? 1 %}' },
      /not valid JSONata 2\.0\.6/,
    ],
    [
      'a list, which would drop missing parts',
      { idempotencyKey: '{% ([$states.input.a]) %}' },
      /uses \[…\].*Write `idempotencyKey: '\{% \$states\.input\.a %\}'`/,
    ],
    ['a list within a path', { idempotencyKey: '{% $states.input.[a, b] %}' }, /must not build a list/],
    ['a joined list', { idempotencyKey: "{% $join($states.input.parts, '/') %}" }, /it uses \$join/],
    [
      'an appended list',
      { idempotencyKey: '{% $append($states.input.a, $states.input.b) %}' },
      /it uses \$append/,
    ],
    [
      'concatenated texts',
      { idempotencyKey: "{% 'order-' & $states.input.id %}" },
      /rounded to 15 digits.*it uses &.*Write `idempotencyKey: '\{% \$states\.input\.id %\}'`\. The scope is before every key/,
    ],
    ['a number as text', { idempotencyKey: '{% $string($states.input.id) %}' }, /it uses \$string/],
    [
      'a time of the execution',
      { idempotencyKey: '{% $states.context.State.EnteredTime %}' },
      /must have the same value.*\$states\.context/,
    ],
    [
      'a payload with a number as text',
      { payload: '{% $string($states.input.amount) %}' },
      /`payload` must not turn values into text/,
    ],
    [
      'a key that is the same for every event',
      { idempotencyKey: "{% 'order' %}" },
      /`idempotencyKey` must read the event in \$states\.input/,
    ],
    [
      'a key that forgets where the event is',
      { idempotencyKey: '{% detail.orderId %}' },
      /`idempotencyKey` reads detail, .* write \$states\.input\.detail/,
    ],
    ['no part', { idempotencyKey: [] }, /at least one part/],
    ['a part without delimiters', { idempotencyKey: [KEY, 'b'] }, /`idempotencyKey\[1\]`/],
    ['a key that is new each time', { idempotencyKey: '{% $uuid() %}' }, /must have the same value.*\$uuid/],
    [
      'a payload that is new each time',
      { payload: "{% {'at': $now()} %}" },
      /`payload` must have the same value.*\$now/,
    ],
    ['a scope with the separator', { scope: 'a#b' }, /`scope` must have/],
    ['a scope on two lines', { scope: 'a\nb' }, /`scope` must have.*without .*control characters/],
    ['a scope with NUL', { scope: 'a\0b' }, /`scope` must have.*without .*control characters/],
    ['a scope with half a surrogate pair', { scope: 'a\ud800' }, /`scope` must have.*surrogate/],
    ['a scope that CloudFormation would replace', { scope: '${AWS::StackName}' }, /`scope` must have.*\$\{/],
    [
      'a former state machine whose name has a control character',
      { formerStateMachines: ['Pay\u0007'] },
      /`formerStateMachines` must be a list of names/,
    ],
    ['an empty scope', { scope: '' }, /`scope` must have/],
    ['a scope of 256 bytes', { scope: 'ü'.repeat(128) }, /`scope` must have 1 to 255 bytes/],
    [
      'a function that nobody knows',
      { idempotencyKey: '{% $nope($states.input.id) %}' },
      /uses \$nope, which does not exist/,
    ],
    [
      'a variable that nobody knows',
      { idempotencyKey: '{% $inptu.id %}' },
      /uses \$inptu, which does not exist/,
    ],
    [
      'a payload with a bare name for a member',
      { payload: '{% $states.input.detail.{amount: amount} %}' },
      /`payload` has an object with the member amount.*write 'amount' in quotes, or \(amount\) if its value is meant/,
    ],
    [
      'a payload that is grouped by a bare name',
      { payload: '{% $states.input.detail{amount: currency} %}' },
      /the member amount/,
    ],
    [
      'a part of a key with a bare name for a member within a call',
      { idempotencyKey: ['{% $lookup($states.input.{a: b}, "a") %}'] },
      /`idempotencyKey\[0\]` has an object with the member a/,
    ],
    [
      'a stepInput with a bare name for a member',
      { stepInput: { order: '{% $states.input.{id: detail.id} %}' } },
      /`stepInput.order` has an object with the member id/,
    ],
    [
      'a redaction with a bare name for a member',
      { payload: KEY, keepPayload: KeepPayload.redacted('{% {amount: $states.input.amount} %}') },
      /`KeepPayload.redacted` has an object with the member amount/,
    ],
    [
      'a result, which the claim has not',
      { payload: '{% $states.result.id %}' },
      /`payload` can read only the input of the execution.*\$states\.result/,
    ],
    [
      'the ARN of the execution',
      { idempotencyKey: '{% $states.context.Execution.Id %}' },
      /must have the same value/,
    ],
    [
      'the start of the execution',
      { idempotencyKey: '{% $states.context.Execution.StartTime %}' },
      /must have the same value.*\$states\.context/,
    ],
    [
      'a key with the clock in it',
      { idempotencyKey: '{% $states.input.id + $millis() %}' },
      /must have the same value.*\$millis/,
    ],
    [
      'a key with chance in it',
      { idempotencyKey: '{% $states.input.id + $random() %}' },
      /must have the same value.*\$random/,
    ],
    [
      'a key in an order of chance',
      { idempotencyKey: '{% $shuffle($states.input.ids)[0] %}' },
      /must have the same value.*\$shuffle/,
    ],
    [
      'a key out of an expression that nobody has looked at',
      { idempotencyKey: '{% $eval($states.input.expression) %}' },
      /must have the same value.*\$eval/,
    ],
    [
      'no key at all',
      { idempotencyKey: undefined as never },
      /`idempotencyKey` is required: a JSONata expression/,
    ],
    [
      'a key of another type',
      { idempotencyKey: 5 as never },
      /`idempotencyKey` must be a JSONata expression/,
    ],
    [
      'a step of another type',
      { step: 'arn:aws:lambda:x' as never },
      /`step` must be a Lambda function, a task or a chain/,
    ],
    ['a retention in numbers', { retention: 90 as never }, /`retention` must be a Duration.*got 90/],
    ['a type that there is not', { type: 'FAST' as never }, /`type` must be STANDARD or EXPRESS, got "FAST"/],
    [
      'an Express workflow of a second more than five minutes',
      { type: 'EXPRESS', timeout: Duration.seconds(301) },
      /`timeout` of an Express workflow must be at most 5 minutes, got 5 minutes 1 second/,
    ],
    [
      'a timeout that ends the execution before it has recorded its step',
      { timeout: Duration.seconds(95) },
      /`timeout` must be at least 96 seconds here, got 95: 66 for the step .* and 30 for recording the outcome/,
    ],
    [
      'a wait as long as the timeout',
      {
        type: 'EXPRESS',
        timeout: Duration.minutes(2),
        onDuplicateInProgress: OnInProgress.wait(Duration.minutes(2)),
      },
      /`OnInProgress\.wait` must be shorter than `timeout`, which is 2 minutes, got 2 minutes/,
    ],
    [
      'redrives in an Express workflow',
      { type: 'EXPRESS', redrive: Redrive.byFunction() },
      /`redrive` needs a STANDARD workflow/,
    ],
    [
      'a delivery that there is not',
      { delivery: 'exactly-once' as never },
      /`delivery` must be 'at-least-once' or 'at-most-once', got "exactly-once"\. No workflow can guarantee/,
    ],
    [
      'names of executions that there are not',
      { executionNames: 'hashed' as never },
      /`executionNames` must be 'readable' or 'hash', got "hashed"/,
    ],
    [
      'redrives in an Express workflow, bounded',
      { type: 'EXPRESS', maxRedrives: 2 },
      /`maxRedrives` needs a STANDARD workflow/,
    ],
    ...[0, 101, 1.5, '3' as never].map((maxRedrives): [string, Partial<IdempotentWorkflowProps>, RegExp] => [
      `${maxRedrives} redrives`,
      { maxRedrives },
      /`maxRedrives` must be a whole number from 1 to 100, got/,
    ]),
    [
      'a redrive that is none',
      { redrive: 'direct' as never },
      /`redrive` must be Redrive\.byFunction\(\) or Redrive\.direct\(\), got "direct"/,
    ],
    [
      'a success destination that is none',
      { onSuccess: 'queue' as never },
      /`onSuccess` must be SuccessDestination\.queue\(queue\) or SuccessDestination\.eventBus\(bus\), got "queue"/,
    ],
    [
      'a success destination of an Express workflow',
      { type: 'EXPRESS', onSuccess: SuccessDestination.eventBus(null as never) },
      /`onSuccess` needs a STANDARD workflow, because an Express execution cannot be redriven/,
    ],
    [
      'a failure destination that is none',
      { onFailure: 'queue' as never },
      /`onFailure` must be FailureDestination\.queue\(queue\) or FailureDestination\.eventBus\(bus\), got "queue"/,
    ],
    [
      'retries after any error',
      { retry: { errors: ['States.ALL'] } },
      /`retry` cannot have States\.ALL, .*name the errors that the function throws/,
    ],
    [
      'retries that outlast the timeout',
      { type: 'EXPRESS', retry: { errors: ['Busy'], interval: Duration.minutes(2), maxAttempts: 2 } },
      /`timeout` must be at least \d+ seconds here, got 300/,
    ],
    ['a scope of another type', { scope: 5 as never }, /`scope` must have/],
    ['no retention', { retention: Duration.seconds(0) }, /`retention` must be at least one second/],
    [
      'no retention of failures',
      { failedRetention: Duration.seconds(0) },
      /`failedRetention` must be at least one second/,
    ],
    [
      'a retention of failures in numbers',
      { failedRetention: 7 as never },
      /`failedRetention` must be a Duration.*got 7/,
    ],
  ];

  test.each([
    ['a task of its own', (stack: Stack) => retried(stack)],
    ['a task within a branch', (stack: Stack) => Parallel.jsonata(stack, 'Both').branch(retried(stack))],
    ['a task within a Map', (stack: Stack) => MapState.jsonata(stack, 'Each').itemProcessor(retried(stack))],
    [
      'a task behind a catcher',
      (stack: Stack) => {
        const first = retried(stack, 0);
        first.addCatch(retried(stack));
        return first;
      },
    ],
  ])('at most once with retries in %s: rejected with the remedy', (_, define) => {
    const stack = newStack();
    expect(() => workflow(stack, { step: define(stack), delivery: 'at-most-once' })).toThrow(
      /needs a step without retries, but state '(Retried|Both|Each)' has retries\. Remove them/,
    );
  });

  test('at most once, a task without retries: accepted', () => {
    const stack = newStack();
    expect(() => workflow(stack, { step: retried(stack, 0), delivery: 'at-most-once' })).not.toThrow();
  });

  test.each(rejected)('%s: rejected with the remedy, and where', (_, props, message) => {
    const define = () => Template.fromStack(Stack.of(workflow(newStack(), props)));
    expect(define).toThrow(message);
    expect(define).toThrow(/(^Test\/Pay: |\[Test\/Pay\] )`/);
  });
});
