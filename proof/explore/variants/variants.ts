import type { OptionalMachine } from '../model/subject';
import type { Channel } from '../transition/steps';

/** A workflow that promises something otherwise than the reference app's, and how far it is explored. */
export interface ExploredVariant {
  /** Also the name of its stack in `app.ts`, which says how it is made. */
  readonly name: string;
  /** The settings that differ from the reference app. */
  readonly differs: string;
  /** The variant that is deployed before it, and the number of deliveries that begin with that variant. */
  readonly former?: { readonly stack: string; readonly deliveries: number };
  /** How its deliveries start; undefined: directly. */
  readonly channels?: readonly Channel[];
  /** The machines that run beside it; undefined: none. */
  readonly running?: readonly OptionalMachine[];
  /** Deliveries and faults of an exploration that ends within a minute on one core. */
  readonly budget: readonly [executions: number, faults: number];
}

/** All variants, each of which is explored alone. */
export const VARIANTS = [
  {
    name: 'express',
    differs: "`type: 'EXPRESS'`: a claim has a lease, and no owner is asked about or redriven",
    budget: [2, 1],
  },
  {
    name: 'at-most-once',
    differs: "`delivery: 'at-most-once'`: a step that was cut off leaves its key in doubt",
    budget: [2, 2],
  },
  {
    name: 'stored-failure',
    differs: '`OnFailed.returnStoredFailure`: a failure is the answer, and the step does not run again',
    budget: [2, 2],
  },
  {
    name: 'wait',
    differs: '`OnInProgress.wait`: a delivery reads the record again until its time is over',
    budget: [2, 1],
  },
  {
    name: 'retry',
    differs: '`retry`: a failed step is run again within its attempt, once, and gets the number of the retry',
    budget: [2, 2],
  },
  {
    name: 'on-failure',
    differs:
      "`onFailure`, `delivery: 'at-most-once'` and a `failedRetention`: failures, doubt and rejections are sent to a queue",
    budget: [2, 2],
  },
  {
    name: 'on-success',
    differs: "`onSuccess` and `delivery: 'at-most-once'`: results are sent to a queue",
    budget: [2, 1],
  },
  {
    name: 'composite-key',
    differs: 'a key of two parts',
    budget: [2, 2],
  },
  {
    name: 'timeout',
    differs: '`timeout`: an execution may be ended by its machine',
    budget: [2, 2],
  },
  {
    name: 'chain',
    differs: 'a chain as the step: a function, whose errors it catches, and a wait; with a `stepTimeout`',
    budget: [2, 2],
  },
  {
    name: 'chain-retried',
    differs:
      'the same chain with `retry`: run again within its attempt, once, when what it has begun is over',
    budget: [2, 2],
  },
  {
    name: 'chain-in-jsonpath',
    differs:
      'a chain in JSONPath, so that the definition is: a function, whose answer and whose errors are put beside the input, a choice between them, and a wait',
    budget: [2, 1],
  },
  {
    name: 'results',
    differs:
      '`results`: each result is in a bucket, whose puts and gets fail as other requests do; objects are deleted and replaced',
    budget: [2, 2],
  },
  {
    name: 'redrive-direct',
    differs: '`Redrive.direct()`: the state machine redrives an owner itself, without a function',
    budget: [2, 2],
  },
  {
    name: 'deployment',
    differs: 'a deployment behind the first delivery: its step may work longer than that of later ones',
    former: { stack: 'rollback', deliveries: 1 },
    budget: [2, 2],
  },
  {
    name: 'deployment-later',
    differs: 'the same deployment behind the second delivery',
    former: { stack: 'rollback', deliveries: 2 },
    budget: [3, 0],
  },
  {
    name: 'rollback',
    differs: 'that deployment rolled back behind the first delivery: the step may work longer again',
    former: { stack: 'deployment', deliveries: 1 },
    budget: [2, 2],
  },
  {
    name: 'rollback-later',
    differs: 'that deployment rolled back behind the second delivery',
    former: { stack: 'deployment', deliveries: 2 },
    budget: [3, 0],
  },
  {
    name: 'recovery',
    differs: 'recovery is among what can happen; a `retention` of 30 days',
    running: ['recovery'],
    budget: [1, 2],
  },
  {
    name: 'recovery-on-failure',
    differs: 'the same with `onFailure`: recovery redrives an execution that has not sent its failure',
    running: ['recovery'],
    budget: [1, 2],
  },
  {
    name: 'recovery-redrives',
    differs:
      'the same with `maxRedrives: 1` and without `onFailure`: recovery holds what is left to a person',
    running: ['recovery'],
    budget: [1, 2],
  },
  {
    name: 'recovery-at-most-once',
    differs:
      "the same with `delivery: 'at-most-once'`: recovery reads in the owner's history where it stopped",
    running: ['recovery'],
    budget: [1, 2],
  },
  {
    name: 'redeliver-failed',
    differs:
      '`redeliverFailed`, twice, is among what can happen, with `onFailure`: a step that failed is delivered again',
    running: ['redelivery'],
    budget: [1, 1],
  },
  {
    name: 'redeliver-failed-recovered',
    differs: 'the same once and without `onFailure`, beside recovery, which recovers what was delivered',
    running: ['recovery', 'redelivery'],
    budget: [1, 1],
  },
  {
    name: 'by-name',
    differs: 'deliveries come by the dispatcher alone, and failures are sent to a queue',
    channels: ['dispatcher'],
    budget: [2, 1],
  },
  {
    name: 'without-key',
    differs: 'the same with a key that no event has, and rejections are sent, too',
    channels: ['dispatcher'],
    budget: [2, 2],
  },
  {
    name: 'custom-event-bus',
    differs:
      'deliveries come by the subscriber of a custom event bus, alone or two in a list that comes again',
    channels: ['dispatcher'],
    budget: [2, 1],
  },
  {
    name: 'express-custom-event-bus',
    differs:
      '`express`, and the subscriber of a custom event bus waits for the executions: what fails comes again',
    channels: ['dispatcher'],
    budget: [1, 1],
  },
  {
    name: 'front-door',
    differs:
      '`Source.http` with a `waitUpTo` of two seconds: deliveries come by HTTP, too, and the front door answers them',
    running: ['frontDoor'],
    budget: [2, 1],
  },
  {
    name: 'front-door-express',
    differs:
      "`Source.http` with `type: 'EXPRESS'`: deliveries come by HTTP, too, and the front door calls the workflow",
    running: ['frontDoor'],
    budget: [2, 1],
  },
  {
    name: 'fragment',
    differs:
      '`IdempotentFragment` in a Map of two items with one key at the same time, whose errors are caught',
    budget: [1, 2],
  },
  {
    name: 'fragment-in-turn',
    differs: 'the same with one item after the other',
    budget: [2, 1],
  },
  {
    name: 'fragment-in-jsonpath',
    differs:
      'two items at the same time in a state machine in JSONPath, and the chain in JSONPath as the step of the fragment',
    budget: [1, 1],
  },
] as const satisfies readonly ExploredVariant[];

/** The name of a variant. */
export type VariantName = (typeof VARIANTS)[number]['name'];

/** The variant of this name; undefined where there is none. */
export function variantCalled(name: string): ExploredVariant | undefined {
  return VARIANTS.find(variant => variant.name === name);
}
