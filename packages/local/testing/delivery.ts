import type { LocalEvent } from '../deliver-event';
import { completedEvent } from '../deliver-event';
import { type Json, jsonOr } from '../json/json';
import { LocalError } from '../local-error';
import type { LocalResource, LocalStack } from '../start-local';

/** How often the same is delivered, all at the same time. */
interface Times {
  /** @default 1 */
  readonly times?: number;
}

/**
 * What reaches a stack from outside. All paths are construct paths, as `stack.find` takes them.
 *
 * @example
 * const delivery: TestDelivery = { queue: 'Shop/Orders', body: { orderId: 'order-7' }, times: 10 };
 */
export type TestDelivery = Times &
  (
    | {
        /** The path of a bus, or `default`. A custom event bus takes `source`, `detail-type`, `detail`, `time`. */
        readonly eventBus: string;
        readonly event: LocalEvent;
      }
    | {
        readonly queue: string;
        /** A text is sent as it is, anything else as JSON. */
        readonly body: Json;
        /** Of a FIFO queue. */
        readonly messageGroupId?: string;
        readonly messageDeduplicationId?: string;
      }
    | {
        readonly topic: string;
        /** A text is published as it is, anything else as JSON. */
        readonly message: Json;
      }
    | {
        /** Started by StartExecution. */
        readonly stateMachine: string;
        readonly input: Json;
        /** @default - a name of its own for each */
        readonly name?: string;
      }
    | {
        /** Invoked directly. */
        readonly function: string;
        readonly payload: Json;
      }
    | {
        /** The first stage of a REST API is sent a request. */
        readonly restApi: string;
        /** @default POST */
        readonly method?: string;
        /** Without the stage, e.g. `/payments`. */
        readonly path: string;
        readonly headers?: Readonly<Record<string, string>>;
        /** A text is sent as it is, anything else as JSON. */
        readonly body?: Json;
      }
    | {
        /** A rule with a schedule, or a schedule of EventBridge Scheduler: it fires now. */
        readonly schedule: string;
      }
  );

/**
 * The answer of a REST API.
 *
 * @example
 * const { answers } = await stack.deliver({ restApi: 'Shop/Api', path: '/payments', body: { amount: 12 } });
 */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Read from JSON, if it is JSON. */
  readonly body: Json;
}

/**
 * Makes one delivery, and resolves to the sender's answer: the `Publication` of an event or a schedule, the message id
 * of a message, the `executionArn` of an execution, the outcome of a function, an `HttpAnswer`.
 *
 * @throws LocalError `InvalidRequest` for a path that leads nowhere; StatesError for a start that is rejected
 */
export function send(stack: LocalStack, delivery: TestDelivery): Promise<unknown> {
  return sender(stack, delivery)();
}

/** Finds the receiver and its input at once, so that the error for a missing one comes before time passes. */
function sender(stack: LocalStack, delivery: TestDelivery): () => Promise<unknown> {
  if ('eventBus' in delivery) {
    const event = required(delivery, 'event');
    const found = delivery.eventBus === 'default' ? undefined : stack.find(delivery.eventBus);
    if (found?.type === CUSTOM_BUS) return () => stack.putEvents(requestFor(found.arn ?? '', event));
    const bus = found ? busOf(stack, delivery.eventBus).name : 'default';
    return () => stack.eventBuses.publish(completedEvent(stack, event), bus);
  }
  if ('queue' in delivery) {
    const { queue, body: _body, ...options } = delivery;
    const { name } = stack.find(queue, 'AWS::SQS::Queue');
    const text = textOf(required(delivery, 'body'));
    return async () => stack.queues.send(name, text, withoutTimes(options));
  }
  if ('topic' in delivery) {
    const { arn = '' } = stack.find(delivery.topic, 'AWS::SNS::Topic');
    const message = textOf(required(delivery, 'message'));
    return async () => stack.topics.publish(arn, { message });
  }
  if ('stateMachine' in delivery) {
    const { arn = '' } = stack.find(delivery.stateMachine, 'AWS::StepFunctions::StateMachine');
    const { name, input } = delivery;
    const named = name === undefined ? {} : { name };
    const request = { stateMachineArn: arn, input: JSON.stringify(input), ...named };
    return () => stack.runtime.startExecution(request);
  }
  if ('function' in delivery) {
    const { name } = stack.find(delivery.function, 'AWS::Lambda::Function');
    const payload = required(delivery, 'payload');
    return () => stack.functions.invoke(name, payload);
  }
  if ('restApi' in delivery) return requestOf(stack, delivery);
  if (!('schedule' in delivery)) {
    const ways = 'eventBus, queue, topic, stateMachine, function, restApi or schedule';
    throw new LocalError('InvalidRequest', [`a delivery must have exactly one target: one of ${ways}`]);
  }
  const { name } = scheduleOf(stack, delivery.schedule);
  return () => stack.schedules.fire(name);
}

/** A part without which nothing can be delivered, as callers without types may leave it out. */
function required<Delivery extends object, Name extends keyof Delivery & string>(
  delivery: Delivery,
  name: Name,
): Delivery[Name] {
  if (delivery[name] !== undefined) return delivery[name];
  throw new LocalError('InvalidRequest', [`this delivery lacks \`${name}\``]);
}

function withoutTimes<Options extends Times>({ times: _times, ...options }: Options): Omit<Options, 'times'> {
  return options;
}

const CUSTOM_BUS = 'AWS::EventsV2::EventBus';

/** An event as an entry; the bus makes an id and the rest itself. */
function requestFor(arn: string, event: LocalEvent): Parameters<LocalStack['putEvents']>[0] {
  const { source, 'detail-type': detailType, detail, time, resources } = event;
  return {
    EventBusArn: arn,
    Entries: [
      {
        Source: source,
        DetailType: detailType,
        Detail: JSON.stringify(detail),
        ...(resources && { Resources: resources }),
        ...(time !== undefined && { Time: new Date(time) }),
      },
    ],
  };
}

function busOf(stack: LocalStack, path: string): LocalResource {
  return stack.find(path, 'AWS::Events::EventBus');
}

function scheduleOf(stack: LocalStack, path: string): LocalResource {
  const found = stack.find(path);
  if (stack.schedules.names().includes(found.name)) return found;
  throw new LocalError('InvalidRequest', [`${path} (${found.type}) has no schedule`]);
}

function requestOf(stack: LocalStack, delivery: Extract<TestDelivery, { readonly restApi: string }>) {
  const { method = 'POST', headers = {}, body } = delivery;
  const path = required(delivery, 'path');
  const { url = '' } = stack.find(delivery.restApi, 'AWS::ApiGateway::RestApi');
  const isJson = body !== undefined && typeof body !== 'string';
  const type: Record<string, string> = isJson ? { 'content-type': 'application/json' } : {};
  return async (): Promise<HttpAnswer> => {
    const answer = await fetch(`${url}${path.replace(/^\//, '')}`, {
      method,
      headers: { ...type, ...headers },
      ...(body !== undefined && { body: textOf(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body: jsonOr(text, text) };
  };
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
