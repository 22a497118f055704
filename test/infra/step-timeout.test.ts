import {
  App,
  Aspects,
  CfnParameter,
  type CfnResource,
  Duration,
  type IAspect,
  Lazy,
  NestedStack,
  Stack,
  Stage,
} from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import {
  Alias,
  CfnFunction,
  Code,
  type IFunction,
  Function as LambdaFunction,
  Runtime,
  SingletonFunction,
  Version,
} from 'aws-cdk-lib/aws-lambda';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import {
  DefinitionBody,
  type StateMachine as Machine,
  QueryLanguage,
  StateMachine,
} from 'aws-cdk-lib/aws-stepfunctions';
import {
  IdempotentFragment,
  IdempotentWorkflow,
  type IdempotentWorkflowProps,
  Monitoring,
  RecordTable,
  Recovery,
  Source,
} from '../../infra/index';
import { definitionIn, newStack, type StateText, someFunction } from '../support/synthesize';

const idempotencyKey = '{% $states.input.order %}';

/** Sets the timeout of every function of the type `charge`. */
const setting = (seconds: number): IAspect => ({
  visit(node) {
    if (node instanceof CfnFunction && /Charge\/Resource$/.test(node.node.path)) node.timeout = seconds;
  },
});

function workflow(stack: Stack, step: IFunction, props: Partial<IdempotentWorkflowProps> = {}) {
  return new IdempotentWorkflow(stack, 'Pay', { idempotencyKey, step, ...props });
}

const resourceOf = (one: LambdaFunction) => one.node.defaultChild as CfnFunction;

/** For how long the Task waits for the function, in the template of the stack. */
function taskTimeout(stack: Stack): unknown {
  return step(stack)['TimeoutSeconds'];
}

function step(stack: Stack): StateText {
  const template = Template.fromStack(stack);
  const found = definitionIn(template, /^PayStateMachine/).States['Business step'];
  if (!found) throw new Error('the workflow has no step');
  return found;
}

describe("a function's timeout, 1 second on the construct and 120 in the template", () => {
  test.each<[string, (stack: Stack, charge: LambdaFunction) => void]>([
    ['an aspect of the stack', stack => Aspects.of(stack).add(setting(120))],
    ['an aspect that runs first', stack => Aspects.of(stack).add(setting(120), { priority: 0 })],
    ['an aspect that runs last', stack => Aspects.of(stack).add(setting(120), { priority: 1_000_000 })],
    ['an aspect of the app', stack => Aspects.of(stack.node.root).add(setting(120))],
    ['an aspect of the function', (_, charge) => Aspects.of(charge).add(setting(120))],
    ['a property override', (_, charge) => resourceOf(charge).addPropertyOverride('Timeout', 120)],
    ['an override with a text', (_, charge) => resourceOf(charge).addOverride('Properties.Timeout', '120')],
    [
      'an override by an aspect',
      stack =>
        Aspects.of(stack).add({
          visit: node => {
            if (node instanceof CfnFunction) node.addPropertyOverride('Timeout', 120);
          },
        }),
    ],
    ['a later line', (_, charge) => Object.assign(resourceOf(charge), { timeout: 120 })],
    [
      'a token that is known at synthesis',
      (_, charge) => Object.assign(resourceOf(charge), { timeout: Lazy.number({ produce: () => 120 }) }),
    ],
  ])('%s: the workflow has that of the template', (_, change) => {
    const stack = newStack();
    const charge = someFunction(stack, { timeout: Duration.seconds(1) });
    workflow(stack, charge);
    change(stack, charge);

    expect(taskTimeout(stack)).toBe(150);
  });

  test('a deletion override: the default of CloudFormation', () => {
    const stack = newStack();
    const charge = someFunction(stack, { timeout: Duration.seconds(100) });
    workflow(stack, charge);
    resourceOf(charge).addPropertyDeletionOverride('Timeout');

    expect(taskTimeout(stack)).toBe(33);
  });

  test.each<[string, (charge: LambdaFunction) => IFunction]>([
    ['its current version', charge => charge.currentVersion],
    ['its latest version', charge => charge.latestVersion],
    ['an alias', charge => new Alias(charge, 'Live', { aliasName: 'live', version: charge.currentVersion })],
    [
      'an alias of its latest version',
      charge => new Alias(charge, 'Live', { aliasName: 'live', version: charge.latestVersion }),
    ],
  ])('%s as the step: the same', (_, called) => {
    const stack = newStack();
    workflow(stack, called(someFunction(stack, { timeout: Duration.seconds(1) })));
    Aspects.of(stack).add(setting(120));

    expect(taskTimeout(stack)).toBe(150);
  });

  test('a singleton function: the timeout of the one behind it', () => {
    const stack = newStack();
    const code = Code.fromInline('exports.handler = async () => 1');
    const runtime = Runtime.NODEJS_22_X;
    const timeout = Duration.seconds(40);
    workflow(
      stack,
      new SingletonFunction(stack, 'One', { uuid: 'one', code, runtime, handler: 'index.handler', timeout }),
    );

    expect(taskTimeout(stack)).toBe(70);
  });

  test('a stage, a nested stack, and a function of another stack: the same', () => {
    const app = new App({ context: { 'aws:cdk:bundling-stacks': [] } });
    const stage = new Stage(app, 'Prod');
    const functions = new Stack(stage, 'Functions');
    const charge = someFunction(functions, { timeout: Duration.seconds(1) });
    const outer = new Stack(stage, 'Outer');
    const nested = new NestedStack(outer, 'Nested');
    workflow(nested, charge);
    Aspects.of(stage).add(setting(120));

    expect(taskTimeout(nested)).toBe(150);
  });

  test('all that the workflow makes of it, follows', () => {
    const texts = (onConstruct: number, inTemplate: number) => {
      const stack = newStack();
      const charge = someFunction(stack, { timeout: Duration.seconds(onConstruct) });
      const pay = workflow(stack, charge, { timeout: Duration.hours(2), metrics: true });
      pay.startFrom(Source.http('payments', { input: '{% $states.input.body %}' }));
      pay.startFrom(Source.queue(queueIn(stack)));
      new Monitoring(stack, 'Monitoring', { workflow: pay });
      const table = new RecordTable(stack, 'Shared');
      const fragment = new IdempotentFragment(stack, 'Part', { idempotencyKey, step: charge, table });
      const machine: Machine = new StateMachine(stack, 'Orders', {
        definitionBody: DefinitionBody.fromChainable(fragment),
        queryLanguage: QueryLanguage.JSONATA,
      });
      fragment.grantTo(machine);
      Recovery.of(machine);
      Aspects.of(stack).add(setting(inTemplate));
      return JSON.stringify(Template.fromStack(stack).toJSON());
    };

    expect(texts(1, 120)).toBe(texts(120, 120));
    expect(texts(120, 1)).toBe(texts(1, 1));
  });

  test('an Express workflow: its lease and its retries follow', () => {
    const texts = (onConstruct: number) => {
      const stack = newStack();
      workflow(stack, someFunction(stack, { timeout: Duration.seconds(onConstruct) }), { type: 'EXPRESS' });
      Aspects.of(stack).add(setting(60));
      return JSON.stringify(Template.fromStack(stack).toJSON());
    };

    expect(texts(1)).toBe(texts(60));
    expect(texts(1)).toContain('$millis() + 390000');
  });

  test('a `timeout` of the workflow that is too short for it: rejected', () => {
    const stack = newStack();
    const charge = someFunction(stack, { timeout: Duration.seconds(1) });
    workflow(stack, charge, { timeout: Duration.seconds(100) });
    Aspects.of(stack).add(setting(120));

    expect(() => Template.fromStack(stack)).toThrow(/\[Test\/Pay\] `timeout` must be at least 330 seconds/);
  });
});

function queueIn(stack: Stack): Queue {
  return new Queue(stack, 'Orders in', {
    visibilityTimeout: Duration.minutes(3),
    deadLetterQueue: {
      queue: new Queue(stack, 'Dead', { retentionPeriod: Duration.days(14) }),
      maxReceiveCount: 5,
    },
  });
}

describe('stepTimeout of a function', () => {
  const longer = { stepTimeout: Duration.minutes(2) };

  test('longer than its timeout: taken', () => {
    const stack = newStack();
    workflow(stack, someFunction(stack, { timeout: Duration.seconds(20) }), longer);

    expect(taskTimeout(stack)).toBe(150);
  });

  test('as long as its timeout: taken', () => {
    const stack = newStack();
    workflow(stack, someFunction(stack, { timeout: Duration.minutes(2) }), longer);

    expect(taskTimeout(stack)).toBe(150);
  });

  test('shorter than that of the template: rejected with both', () => {
    const stack = newStack();
    workflow(stack, someFunction(stack, { timeout: Duration.seconds(20) }), longer);
    Aspects.of(stack).add(setting(121));

    expect(() => Template.fromStack(stack)).toThrow(
      '`stepTimeout` is 2 minutes, but Test/Charge can run for 2 minutes 1 second, so two runs might overlap',
    );
  });

  test.each<[string, (stack: Stack) => IFunction]>([
    ['a function by its name', stack => LambdaFunction.fromFunctionName(stack, 'Other', 'charge')],
    ['a version by its ARN', stack => Version.fromVersionArn(stack, 'Other', `${ARN}:3`)],
    [
      'an alias of another app',
      stack =>
        Alias.fromAliasAttributes(stack, 'Other', {
          aliasName: 'live',
          aliasVersion: someFunction(stack).currentVersion,
        }),
    ],
    [
      'a function whose timeout is a parameter',
      stack =>
        someFunction(stack, {
          timeout: Duration.seconds(new CfnParameter(stack, 'Time', { type: 'Number' }).valueAsNumber),
        }),
    ],
    ['a version that is published once', stack => new Version(stack, 'V1', { lambda: someFunction(stack) })],
    [
      'an alias of such a version',
      stack =>
        new Alias(stack, 'Live', {
          aliasName: 'live',
          version: new Version(stack, 'V1', { lambda: someFunction(stack) }),
        }),
    ],
    [
      'an alias that calls another version, too',
      stack =>
        new Alias(stack, 'Live', {
          aliasName: 'live',
          version: someFunction(stack).currentVersion,
          additionalVersions: [{ version: Version.fromVersionArn(stack, 'Before', `${ARN}:3`), weight: 0.1 }],
        }),
    ],
    [
      'an alias whose version an override replaces',
      stack => {
        const alias = new Alias(stack, 'Live', {
          aliasName: 'live',
          version: someFunction(stack).currentVersion,
        });
        (alias.node.defaultChild as CfnResource).addPropertyOverride('FunctionVersion', '7');
        return alias;
      },
    ],
  ])('%s: required, and taken', (_, called) => {
    const define = (props: Partial<IdempotentWorkflowProps>) => {
      const stack = newStack();
      workflow(stack, called(stack), props);
      return stack;
    };

    expect(() => Template.fromStack(define({}))).toThrow(
      /`stepTimeout` is required, because the template does not say how long Test\/\w+ can run/,
    );
    expect(taskTimeout(define(longer))).toBe(150);
  });
});

const ARN = 'arn:aws:lambda:us-east-1:111111111111:function:charge';
