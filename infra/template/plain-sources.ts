import { CfnOutput, CfnParameter, TimeZone } from 'aws-cdk-lib';
import { EventBus, type EventPattern, type IEventBus, Schedule } from 'aws-cdk-lib/aws-events';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { describeValue } from '../../state-machine/words/describe-value';
import { validateNames } from '../../state-machine/words/validate-names';
import type { IdempotentWorkflow } from '../idempotent-workflow';
import { DeadLetterQueue } from '../nested/dead-letter-queue';
import type { CustomEventBusFilter } from '../sources/custom-event-bus-filter';
import { advisedVisibility, batchTimeout } from '../sources/queue-source';
import { Source } from '../sources/sources';
import type { IWorkflowSource } from '../sources/workflow-source';
import { countOf, FLAG, type Kind, TEXT, TEXTS, validateKinds } from '../validation/kinds';
import { arnOf, membersOf, nameOrArnOf, type Plain, type PlainObject, textOf, withDurations } from './plain';
import { propsOf } from './plain-props';

/** Makes a source of what a file says under its name. `id` is that of the resources that it adds to the template. */
type Reader = (options: PlainObject, at: Place) => IWorkflowSource;

interface Place {
  readonly scope: Construct;
  readonly id: string;
  readonly workflow: IdempotentWorkflow;
}

const READERS: Readonly<Record<string, Reader>> = {
  eventBridge({ eventBus = 'default', eventPattern = null, ...options }, { scope, id }) {
    const bus = busOf(nameOrArnOf(eventBus, 'eventBridge.eventBus', 'eventBus', 'a bus'), scope, id);
    return Source.eventBridge(bus, eventPattern as EventPattern, { id, ...options });
  },
  customEventBus({ eventBus = null, filter = {}, ...options }, { id }) {
    const arn = arnOf(eventBus, 'customEventBus.eventBus', 'customEventBus');
    return Source.customEventBus(arn, filter as CustomEventBusFilter, { id, ...options });
  },
  queue({ queue, ...options }, { scope, id, workflow }) {
    const taken =
      queue === undefined
        ? ownQueue(scope, id, workflow)
        : Queue.fromQueueArn(scope, id, arnOf(queue, 'queue.queue', 'queue'));
    return Source.queue(taken, withDurations(options) as object);
  },
  topic({ topic, ...options }, { scope, id }) {
    const taken =
      topic === undefined
        ? ownTopic(scope, id)
        : Topic.fromTopicArn(scope, id, arnOf(topic, 'topic.topic', 'topic'));
    return Source.topic(taken, withDurations(options) as object);
  },
  schedule({ schedule, timeZone, ...options }, { id }) {
    const expression = textOf(schedule, 'schedule.schedule', 'rate(1 hour)');
    const zone =
      timeZone === undefined
        ? undefined
        : TimeZone.of(textOf(timeZone, 'schedule.timeZone', 'Europe/Berlin'));
    return Source.schedule(Schedule.expression(expression), {
      id,
      ...(withDurations(options) as object),
      ...(zone && { timeZone: zone }),
    });
  },
  http({ resource, idempotencyKey, ...options }, { scope }) {
    const key = idempotencyKey === undefined ? {} : propsOf({ idempotencyKey }, scope);
    const path = textOf(resource, 'http.resource', 'payments');
    for (const [name, kinds] of Object.entries(CDK_OPTIONS)) {
      if (options[name] !== undefined) validateOptions(`http.${name}`, options[name], kinds);
    }
    return Source.http(path, { ...(withDurations(options) as object), ...key });
  },
};

/** The options of `Source.http` whose types are the CDK's: in code the compiler knows them. A time is a text here. */
const CDK_OPTIONS: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  methodOptions: {
    authorizationType: [value => value === 'AWS_IAM' || value === 'NONE', 'AWS_IAM or NONE'],
    apiKeyRequired: FLAG,
    operationName: TEXT,
  },
  cors: {
    allowOrigins: TEXTS,
    allowHeaders: TEXTS,
    exposeHeaders: TEXTS,
    allowCredentials: FLAG,
    disableCache: FLAG,
    maxAge: [value => typeof value === 'string', 'an ISO 8601 duration such as PT1H'],
    statusCode: countOf(200, 299),
  },
};

function validateOptions(of: string, value: Plain, kinds: Readonly<Record<string, Kind>>): void {
  const options = membersOf(value, of);
  validateNames(`\`${of}\``, options, kinds);
  validateKinds(options, kinds, `${of}.`);
}

/** What a source's own resources are called. */
const IDS: Readonly<Record<string, string>> = {
  eventBridge: 'EventBus',
  customEventBus: 'CustomEventBus',
  queue: 'Queue',
  topic: 'Topic',
};

/**
 * Starts a workflow from the sources that a file says: a list of `{ eventBridge: { … } }`, each under the name of a
 * method of `Source`, with its options. A queue or a topic that no ARN names is one of the template.
 *
 * @throws Error for a source that there is not, or that only code can say
 */
export function startFromPlain(workflow: IdempotentWorkflow, sources: Plain, scope: Construct): void {
  if (!Array.isArray(sources))
    throw new Error(`\`sources\` must be a list such as [{"queue": {}}], got ${describeValue(sources)}`);
  for (const source of sources) {
    const [[kind, options] = ['', null], ...others] = Object.entries(membersOf(source, 'sources'));
    const read = others.length === 0 && Object.hasOwn(READERS, kind) ? READERS[kind] : undefined;
    if (!read) {
      const known = Object.keys(READERS).join(', ');
      const pipe = kind === 'pipe' ? '; for streams, use the construct in a CDK app' : '';
      throw new Error(`each of \`sources\` must be one of ${known}, got ${JSON.stringify(source)}${pipe}`);
    }
    workflow.startFrom(
      read(membersOf(options, kind), { scope, id: freeId(scope, IDS[kind] ?? kind), workflow }),
    );
  }
}

/** The bus of this ARN, or of a name that is a parameter. */
function busOf(nameOrArn: string, scope: Construct, id: string): IEventBus {
  if (nameOrArn.startsWith('arn:')) return EventBus.fromEventBusArn(scope, id, nameOrArn);
  // With an ARN here, metrics would be those of a bus that does not exist.
  const allowedPattern = '[/._A-Za-z0-9-]+';
  if (!new RegExp(`^${allowedPattern}$`).test(nameOrArn)) {
    throw new Error(
      `\`eventBridge.eventBus\` must be the name of a bus, or its ARN, got ${JSON.stringify(nameOrArn)}`,
    );
  }
  const description = 'The event bus, by name';
  const name = new CfnParameter(scope, `${id}Name`, { default: nameOrArn, description, allowedPattern });
  return EventBus.fromEventBusName(scope, id, name.valueAsString);
}

/** The id, with a number where another source has it. */
function freeId(scope: Construct, id: string): string {
  const isTaken = (one: string) => scope.node.tryFindChild(one) !== undefined;
  let free = id;
  for (let number = 2; isTaken(free); number += 1) free = `${id}${number}`;
  return free;
}

function ownQueue(scope: Construct, id: string, workflow: IdempotentWorkflow): Queue {
  const queue = new Queue(scope, id, {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    visibilityTimeout: advisedVisibility(batchTimeout(workflow)),
    deadLetterQueue: { queue: new DeadLetterQueue(scope, `${id}Unfinished`), maxReceiveCount: 5 },
  });
  new CfnOutput(scope, `${id}Url`, { value: queue.queueUrl });
  return queue;
}

function ownTopic(scope: Construct, id: string): Topic {
  const topic = new Topic(scope, id, { enforceSSL: true });
  new CfnOutput(scope, `${id}Arn`, { value: topic.topicArn });
  return topic;
}
