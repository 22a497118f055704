import type { Json, JsonObject } from '../../../json/json';
import { LocalError } from '../../../local-error';
import type { Evaluator } from '../../../runtime/evaluation/evaluator';
import type { Clock } from '../../../runtime/time/clock';
import type { EventDeliveries } from '../buses';
import { compilePattern } from '../pattern/pattern';
import type { EventTarget } from '../target/target';
import type { CustomBusSpec, FilterScope, SubscriberSpec } from './cloudformation';
import { type CustomEvent, formCustomEvent } from './event';
import { CustomBusError, type CustomPutEventsRequest, readRequest } from './request';

/** What custom event buses are made of. */
export interface CustomBusOptions {
  readonly buses: readonly CustomBusSpec[];
  readonly subscribers: readonly SubscriberSpec[];
  readonly deliveries: EventDeliveries;
  readonly evaluator: Pick<Evaluator, 'evaluateAndWait'>;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly region: string;
  readonly account: string;
  /** Whether a state machine gets the only event of a batch of at most one as a list. */
  readonly batchOfOne: 'event' | 'list';
}

/**
 * The answer of PutEvents of a custom event bus, an entry for each of the request.
 *
 * @example
 * const { Entries, FailedEntryCount }: CustomPutEventsResponse = await stack.putEvents(request);
 */
export interface CustomPutEventsResponse {
  readonly FailedEntryCount: number;
  readonly Entries: readonly (
    | { readonly EventId: string; readonly SequenceNumber: string; readonly SuccessCode: 'PUBLISHED' }
    | { readonly ErrorCode: 'VALIDATION_ERROR'; readonly ErrorMessage: string }
  )[];
}

/** A subscriber whose filters are compiled. */
interface ReadySubscriber extends SubscriberSpec {
  readonly matches: (event: CustomEvent) => boolean;
  readonly target: EventTarget;
}

const PART_OF: Readonly<Record<FilterScope, keyof CustomEvent>> = {
  DATA: 'Data',
  METADATA: 'Metadata',
  SYSTEM_METADATA: 'SystemMetadata',
};

/** What `publish` makes of the events of one subscriber that it delivers together. */
type Inputs = readonly { readonly event: CustomEvent; readonly input: Json }[];

/**
 * Local custom event buses: filters and transforms events, and delivers them in batches. A batch has events of one
 * request only, so that no event waits for others. Nothing is stored beyond its delivery: there is no replay.
 */
export class CustomBuses {
  readonly #options: CustomBusOptions;
  readonly #subscribers: ReadonlyMap<string, readonly ReadySubscriber[]>;
  #published = 0;

  /** @throws LocalError for filters that the service rejects */
  constructor(options: CustomBusOptions) {
    this.#options = options;
    const ready = options.subscribers.map(readySubscriber);
    this.#subscribers = new Map(
      options.buses.map(({ arn }) => [arn, ready.filter(({ busArn, enabled }) => enabled && busArn === arn)]),
    );
  }

  /**
   * Publishes the entries of a request, and answers without waiting for deliveries. Entries succeed or fail one by one.
   *
   * @throws CustomBusError for a request that is rejected as a whole
   */
  async putEvents(request: CustomPutEventsRequest): Promise<CustomPutEventsResponse> {
    const { busArn, entries } = readRequest(request);
    const subscribers = this.#subscribers.get(busArn);
    if (!subscribers)
      throw new CustomBusError('ResourceNotFoundException', `there is no custom event bus ${busArn}`);
    const { clock, newId, region, account, deliveries } = this.#options;
    const formed = entries.map(entry => {
      const number = this.#published + 1;
      const one = formCustomEvent(entry, { newId, now: clock.now(), region, account }, number);
      if (one.kind === 'event') this.#published = number;
      return one;
    });
    const events = formed.flatMap(one => (one.kind === 'event' ? [one.event] : []));
    for (const subscriber of subscribers) this.#publishTo(subscriber, events);
    await deliveries.written();
    const answers = formed.map(one => {
      if (one.kind === 'rejected')
        return { ErrorCode: 'VALIDATION_ERROR', ErrorMessage: one.message } as const;
      const { 'aws:EventId': EventId, 'aws:SequenceNumber': SequenceNumber = '' } = one.event.SystemMetadata;
      return { EventId, SequenceNumber, SuccessCode: 'PUBLISHED' } as const;
    });
    return { FailedEntryCount: answers.filter(answer => 'ErrorCode' in answer).length, Entries: answers };
  }

  #publishTo(subscriber: ReadySubscriber, events: readonly CustomEvent[]): void {
    const { deliveries } = this.#options;
    const inputs = events.filter(subscriber.matches).flatMap(event => {
      const made = this.#inputOf(subscriber, event);
      if ('input' in made) return [{ event, input: made.input }];
      deliveries.discard(subscriber.target, made.reason, batchOf(subscriber, [event]), subscriber);
      return [];
    });
    for (let first = 0; first < inputs.length; first += subscriber.batchSize) {
      const batch = inputs.slice(first, first + subscriber.batchSize);
      const { target } = subscriber;
      const delivered = deliveries.deliver(
        target,
        this.#textOf(subscriber, batch),
        batchOf(
          subscriber,
          batch.map(({ event }) => event),
        ),
        subscriber,
      );
      // After the last retry its ids are in the dead-letter queue, or it is dropped.
      delivered.catch(() => undefined);
    }
  }

  #inputOf({ transformer }: ReadySubscriber, event: CustomEvent): { input: Json } | { reason: string } {
    if (transformer === 'RAW') return { input: event.Data };
    const parts = event as unknown as JsonObject;
    if (transformer === 'WITH_METADATA') return { input: parts };
    const { evaluator, clock } = this.#options;
    const evaluated = evaluator.evaluateAndWait({
      source: transformer.expression,
      states: {},
      variables: { events: parts },
      now: clock.now(),
      seed: event.SystemMetadata['aws:EventId'],
    });
    if (evaluated.kind === 'failed')
      return { reason: `the JSONata expression of the transformer ${evaluated.problem}` };
    if (evaluated.value === undefined || evaluated.value === null)
      return { reason: 'the JSONata expression of the transformer gives nothing' };
    return { input: evaluated.value };
  }

  /** What the target gets: one event, or a list. A text stands without quotes. */
  #textOf({ batchSize, targetArn }: ReadySubscriber, inputs: Inputs): string {
    const [first] = inputs;
    const isMachine = targetArn.split(':')[2] === 'states';
    const isAlone = batchSize === 1 && !(isMachine && this.#options.batchOfOne === 'list');
    if (!isAlone || !first) return JSON.stringify(inputs.map(({ input }) => input));
    return typeof first.input === 'string' ? first.input : JSON.stringify(first.input);
  }
}

function batchOf({ busArn }: ReadySubscriber, events: readonly CustomEvent[]) {
  const messages = events.map(({ SystemMetadata }) => {
    return { eventId: SystemMetadata['aws:EventId'], timestamp: SystemMetadata['aws:IngestionTime'] };
  });
  return { busArn, messages };
}

function readySubscriber(subscriber: SubscriberSpec): ReadySubscriber {
  const { name, targetArn, retryPolicy, deadLetterArn, waitSeconds } = subscriber;
  const filters = subscriber.filters.map(({ scope, pattern }) => {
    const compiled = compilePattern(pattern);
    const problems = compiled.kind === 'invalid' ? compiled.problems.map(({ message }) => message) : [];
    if (/"wildcard"\s*:/.test(pattern)) problems.push('a custom event bus has no wildcard');
    if (compiled.kind === 'invalid' || problems.length > 0)
      throw new LocalError(
        'InvalidRule',
        problems.map(problem => `subscriber ${name}: ${problem}`),
      );
    return { part: PART_OF[scope], compiled };
  });
  return {
    ...subscriber,
    matches: event => filters.every(({ part, compiled }) => compiled.matches(event[part] as Json)),
    target: {
      id: name,
      arn: targetArn,
      retryPolicy,
      ...(deadLetterArn !== undefined && { deadLetterArn }),
      ...(waitSeconds !== undefined && { waitSeconds }),
    },
  };
}
