import { SFNClient } from '@aws-sdk/client-sfn';
import type { EventEnvelope } from '@onceflow/local';
import { startOnceIn } from '../../../client/start-once';
import type { EpochMs } from '../../../state-machine/contract/index';
import { ERROR } from '../../../state-machine/contract/index';
import type { Order } from '../world/play';
import type { World } from '../world/world';
import type { Contender, Entrant } from './contender';
import { HttpClients } from './http-client';
import { MachineWatch } from './machine';
import {
  type DeliveryPath,
  OUTPUT,
  QUEUES,
  recordKeyOf,
  SCOPE,
  STEP_STATE,
  stepSeconds,
  synthesizeWorkflow,
  type WorkflowSettings,
} from './workflow-app';

const DOCUMENTATION = 'docs/guide/first-stack.md';

/** The product itself, in the ways that it can be started and set up. */
export const ONCEFLOW: readonly Contender[] = [
  onceflow('onceflow', 'onceflow, by bus', 'bus', { isRecovered: true }),
  onceflow('onceflow-queue', 'onceflow, by queue', 'queue', { isRecovered: true }),
  onceflow('onceflow-name', 'onceflow, by startOnce', 'name', { isRecovered: true }),
  onceflow('onceflow-direct', 'onceflow, StartExecution without a name', 'direct', { isRecovered: true }),
  onceflow('onceflow-unrecovered', 'onceflow, by bus, without recovery', 'bus', {}),
  onceflow('onceflow-at-most-once', 'onceflow, at most once, by bus', 'bus', {
    isAtMostOnce: true,
    isRecovered: true,
  }),
  onceflow('onceflow-express', 'onceflow, Express, by queue', 'queue', { isExpress: true }),
  onceflow('onceflow-express-bus', 'onceflow, Express, by bus', 'bus', { isExpress: true }),
  onceflow('onceflow-custom-bus', 'onceflow, by custom bus', 'customBus', { isRecovered: true }),
  onceflow('onceflow-express-custom-bus', 'onceflow, Express, by custom bus', 'customBus', {
    isExpress: true,
  }),
  onceflow('onceflow-http', 'onceflow, by HTTP', 'http', { isRecovered: true }),
  onceflow('onceflow-express-http', 'onceflow, Express, by HTTP', 'http', { isExpress: true }),
];

function onceflow(id: string, title: string, way: DeliveryPath, settings: WorkflowSettings): Contender {
  return {
    id,
    title,
    settings: settingsInWords(settings),
    documentation: DOCUMENTATION,
    // The bus retries for a day.
    ...(way === 'customBus' && { retriesHours: 25 }),
    assembly: directory => synthesizeWorkflow(directory, way, settings),
    open: world => open(world, way, settings),
  };
}

function settingsInWords({ isAtMostOnce, isExpress, isRecovered }: WorkflowSettings): string {
  const kind = isExpress ? 'Express' : 'Standard';
  const delivery = isAtMostOnce ? ', an interrupted step is held for review' : '';
  const recovery = isRecovered ? 'with recovery' : 'without recovery';
  return `${kind}, ${recovery}${delivery}; the amount is the payload; all else as it is by default.`;
}

/** What the error of an execution says to its delivery; of all others an alarm tells. */
function answerOf(error: string) {
  switch (error) {
    case ERROR.inProgress:
      return 'rejected';
    case ERROR.payloadMismatch:
      return 'mismatch';
    default:
      return undefined;
  }
}

function open(world: World, way: DeliveryPath, settings: WorkflowSettings): Entrant {
  const { stack } = world;
  const stateMachineArn = stack.output(OUTPUT.stateMachine);
  const watch = new MachineWatch(world, {
    stateMachineArn,
    stepState: STEP_STATE,
    answerOf,
    isAnsweredElsewhere: way === 'http',
    stepTimeoutMs: stepSeconds(way, settings) * 1000,
  });
  /** The keys of the events on a custom event bus, whose dead letters have ids alone. */
  const keysById = new Map<string, string>();
  const place = { table: stack.output(OUTPUT.table), keyOf: (key: string) => recordKeyOf(way, key) };
  world.expiring = { ...place, keyAttribute: 'idempotencyKey', timeToLiveAttribute: 'expiry' };
  const clients = new HttpClients(world, place);
  return {
    deliver: deliverer(world, way, stateMachineArn, { keysById, clients }),
    reportedKeys: () => [...watch.told, ...clients.unanswered, ...keysInDeadLetterQueues(world, keysById)],
    reset: () => {
      watch.reset();
      keysById.clear();
      clients.reset();
      for (const { name } of stack.queues.list()) stack.queues.purge(name);
    },
  };
}

function deliverer(
  world: World,
  way: DeliveryPath,
  stateMachineArn: string,
  { keysById, clients }: { readonly keysById: Map<string, string>; readonly clients: HttpClients },
): Entrant['deliver'] {
  const { stack, work, clock } = world;
  const send: Readonly<Record<DeliveryPath, (order: Order) => Promise<unknown> | unknown>> = {
    direct: order => stack.runtime.startExecution({ stateMachineArn, input: inputOf(order) }),
    bus: order => stack.eventBuses.publish(eventOf(world, order), stack.output(OUTPUT.bus)),
    customBus: async ({ delivery, ...order }) => {
      const Detail = JSON.stringify({ ...order, ...(delivery !== undefined && { delivery }) });
      const EventBusArn = stack.output(OUTPUT.customBus);
      const { Entries } = await stack.putEvents({ EventBusArn, Entries: [{ ...ENTRY, Detail }] });
      for (const entry of Entries) if ('EventId' in entry) keysById.set(entry.EventId, order.key);
    },
    http: order => clients.deliver(order),
    queue: order => stack.queues.send(QUEUES.orders, inputOf(order)),
    name: order => startOnceHere(order),
  };
  const client = new SFNClient({
    endpoint: stack.endpoint,
    region: stack.region,
    credentials: { accessKeyId: 'x', secretAccessKey: 'y' },
  });
  const startOnceHere = (order: Order) =>
    startOnceIn(
      {
        now: () => clock.now() as EpochMs,
        elapsed: () => clock.now(),
        sleep: ms => work.pause(clock, ms),
      },
      client,
      {
        stateMachineArn,
        table: stack.output(OUTPUT.table),
        scope: SCOPE,
        key: order.key,
        input: JSON.parse(inputOf(order)),
      },
    ).then(
      answer => {
        if (answer.outcome === 'duplicate') world.play.answered(order, 'duplicate', String(answer.result));
      },
      error => world.play.answered(order, error.name === 'PayloadMismatchError' ? 'mismatch' : 'failed'),
    );
  return async order => {
    work.begin();
    try {
      await send[way](order);
    } finally {
      work.end();
    }
  };
}

const ENTRY = { Source: 'shop.orders', DetailType: 'OrderPlaced' };

function inputOf({ key, amount, delivery }: Order): string {
  return JSON.stringify({ detail: { key, amount, delivery } });
}

function eventOf({ clock, stack, play }: World, { key, amount, delivery }: Order): EventEnvelope {
  return {
    version: '0',
    // A sender that sends again makes another event of it.
    id: `${key}-${delivery ?? 'beside'}-${play.answers.length}`,
    'detail-type': 'OrderPlaced',
    source: 'shop.orders',
    account: stack.account,
    time: new Date(clock.now()).toISOString(),
    region: stack.region,
    resources: [],
    detail: { key, amount, ...(delivery !== undefined && { delivery }) },
  };
}

/** The queue of a source: its messages wait for their next start. */
const OWN_QUEUE = /SourceBusMessages/;

/** The keys of the messages that lie where a person looks. */
function keysInDeadLetterQueues(
  { stack: { queues } }: World,
  keysById: ReadonlyMap<string, string>,
): readonly string[] {
  return queues
    .list()
    .filter(({ name }) => name !== QUEUES.orders && !OWN_QUEUE.test(name))
    .flatMap(({ name }) => queues.peek(name) ?? [])
    .flatMap(({ body }) => [
      ...(/\\?"key\\?":\\?"([^"\\]+)/.exec(body)?.slice(1) ?? []),
      ...[...keysById].flatMap(([id, key]) => (body.includes(id) ? [key] : [])),
    ]);
}
