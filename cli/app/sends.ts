import type { Assembly, Json, JsonObject } from '@onceflow/local';
import { DISPATCHER_STATE } from '../../state-machine/contract/state-names';
import { statesIn } from '../definition/states';
import type { Example } from './example';

/** A way to send the example's input to its workflow: through a source that the app has. */
export type Send =
  | {
      readonly kind: 'event';
      /** The name of the bus. */
      readonly eventBus: string;
      readonly source: string;
      readonly detailType: string;
      readonly detail: JsonObject;
    }
  | {
      readonly kind: 'customEvent';
      readonly eventBusArn: string;
      readonly source: string;
      readonly detailType: string;
      readonly detail: JsonObject;
    }
  | {
      readonly kind: 'message' /** The name of the queue. */;
      readonly queue: string;
      readonly body: JsonObject;
    }
  | { readonly kind: 'notification'; readonly topicArn: string; readonly message: JsonObject }
  | {
      readonly kind: 'request';
      /** `POST`, `PUT` or `PATCH`. */
      readonly method: string;
      readonly url: string;
      readonly body: JsonObject;
    };

/** A REST API that is served, one for each stage. */
export interface ServedApi {
  readonly url: string;
  /** The methods that are run, e.g. `POST /payments`. */
  readonly methods: readonly string[];
  /** Those of them that are known to start a state machine. */
  readonly starts: readonly { readonly method: string; readonly stateMachineArn: string }[];
}

/** All ways to send an example: by HTTP first, if a method takes it. */
export function sendsOfExample(
  app: SourcesOfApp,
  restApis: readonly ServedApi[],
  { stateMachineArn, input, frontDoor, request }: Example,
): readonly Send[] {
  const target = request === null ? undefined : targetOf(restApis, frontDoor);
  const byHttp: readonly Send[] =
    target === undefined || request === null
      ? []
      : [
          {
            kind: 'request',
            method: target.verb,
            url: target.url + target.path.replace(/\{(\w+)\+?\}/g, '$1-1'),
            body: request,
          },
        ];
  return [...byHttp, ...sendsOf(app, stateMachineArn, input)];
}

/** Among the methods that take a body, the one that starts a state machine; if that is unknown, the only method. */
function targetOf(restApis: readonly ServedApi[], stateMachineArn: string | null) {
  const targets = restApis.flatMap(({ url, methods, starts }) =>
    methods.flatMap(method => {
      const [, verb, path] = /^(POST|PUT|PATCH) \/(.*)$/.exec(method) ?? [];
      const started = starts.find(one => one.method === method)?.stateMachineArn;
      return verb === undefined || path === undefined ? [] : [{ verb, url, path, started }];
    }),
  );
  const isKnown = restApis.some(({ starts }) => starts.some(one => one.stateMachineArn === stateMachineArn));
  if (isKnown) return targets.find(({ started }) => started === stateMachineArn);
  const [target, ...others] = targets;
  return others.length === 0 && target?.started === undefined ? target : undefined;
}

/** What of an app says which sources lead to a workflow. */
export type SourcesOfApp = Pick<
  Assembly,
  'stateMachines' | 'rules' | 'functions' | 'queueSources' | 'subscriptions' | 'customBusSubscribers'
>;

/**
 * The ways through which a workflow gets this input: event buses, queues and topics. A source that makes another input
 * of what it gets, or filters by more than a source and a detail type, is left out, because its form is not known.
 *
 * @example sendsOf(app, 'arn:aws:states:…:stateMachine:Pay', { detail: { orderId: 'order-1' } })
 */
export function sendsOf(app: SourcesOfApp, workflowArn: string, input: JsonObject): readonly Send[] {
  const machines = app.stateMachines.filter(
    ({ arn, definitionText }) =>
      arn === workflowArn ||
      (definitionText.includes(`"${workflowArn}"`) &&
        !statesIn(JSON.parse(definitionText)).some(({ name }) => name === DISPATCHER_STATE.makeInput)),
  );
  const started = new Set(machines.map(({ arn }) => arn));
  const starters = app.functions.filter(({ environment }) =>
    STARTS.some(name => started.has(environment[name] ?? '')),
  );
  const queues = app.queueSources.flatMap(({ queueArn, functionName }) =>
    starters.some(({ arn, name }) => [arn, name].includes(functionName)) ? [queueArn] : [],
  );
  const takers = new Set([...started, ...queues]);
  const events = app.rules.flatMap(rule => eventOf(rule, takers, input));
  const customEvents = app.customBusSubscribers.flatMap(one => customEventOf(one, takers, input));
  const subscriptions = app.subscriptions.filter(({ endpoint }) => queues.includes(endpoint));
  const notifications = subscriptions
    .filter(({ raw, filter }) => raw && filter === undefined)
    .map(({ topicArn }): Send => ({ kind: 'notification', topicArn, message: input }));
  const fed = new Set([
    ...subscriptions.map(({ endpoint }) => endpoint),
    ...app.rules.flatMap(({ targets }) => targets.map(({ arn }) => arn)),
    ...app.customBusSubscribers.map(({ targetArn }) => targetArn),
  ]);
  const messages = queues
    .filter(arn => !fed.has(arn))
    .map((arn): Send => ({ kind: 'message', queue: arn.split(':').at(-1) ?? arn, body: input }));
  return [...events, ...customEvents, ...messages, ...notifications];
}

/** The variables by which the function of a queue knows what it starts. */
const STARTS = ['DISPATCHER_ARN', 'WORKFLOW_ARN'];

/** What a rule takes by its pattern; none if its pattern or its target asks for more than the example has. */
function eventOf(
  { pattern, targets, eventBusName }: Assembly['rules'][number],
  takers: ReadonlySet<string>,
  { detail }: JsonObject,
): readonly Send[] {
  const isTaken = targets.some(
    ({ arn, input, inputPath, inputTransformer }) =>
      takers.has(arn) && input === undefined && inputPath === undefined && inputTransformer === undefined,
  );
  const published = publishedBy(pattern, detail);
  if (!isTaken || published === undefined) return [];
  return [{ kind: 'event', eventBus: eventBusName.split('/').at(-1) ?? eventBusName, ...published }];
}

/** The same of a subscriber of a custom event bus, whose filter may be about the event alone. */
function customEventOf(
  { busArn, targetArn, filters, transformer }: Assembly['customBusSubscribers'][number],
  takers: ReadonlySet<string>,
  { detail }: JsonObject,
): readonly Send[] {
  const isTaken = takers.has(targetArn) && transformer === 'RAW';
  const patterns = filters.map(({ scope, pattern }) => (scope === 'DATA' ? JSON.parse(pattern) : undefined));
  const published = publishedBy(filters.length === 0 ? {} : patterns[0], detail);
  if (!isTaken || patterns.length > 1 || published === undefined) return [];
  return [{ kind: 'customEvent', eventBusArn: busArn, ...published }];
}

/** What a publisher sends so that a pattern of at most a source and a detail type takes it; undefined: not known. */
function publishedBy(pattern: JsonObject | undefined, detail: Json | undefined) {
  const { source, 'detail-type': detailType, ...more } = pattern ?? {};
  const isKnown = pattern !== undefined && Object.keys(more).length === 0;
  if (!isKnown || typeof detail !== 'object' || detail === null || Array.isArray(detail)) return undefined;
  return {
    source: firstText(source) ?? 'example',
    detailType: firstText(detailType) ?? 'Example',
    detail: detail as JsonObject,
  };
}

function firstText(values: unknown): string | undefined {
  return Array.isArray(values) ? values.find((one: unknown) => typeof one === 'string') : undefined;
}
