import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Interceptor, LocalStack, VirtualClock, WorkTracker } from '@onceflow/local';
import { LocalClient } from '../../front-door/local-client';
import type { Schedule } from '../schedule';
import { emptyBill } from './bill';
import { Play } from './play';
import { deleteExpired, type Expiring, faultyConfig } from './table-client';

/** The world of one contender: a local stack on a virtual clock, and the schedule. */
export class World {
  readonly bill = emptyBill();
  /** The items that expire, where the contender has any. */
  expiring: Expiring | undefined;
  /** Sends requests by HTTP. */
  readonly http: LocalClient;
  #play: Play | undefined;

  constructor(
    readonly stack: LocalStack,
    readonly clock: VirtualClock,
    readonly work: WorkTracker,
  ) {
    this.http = new LocalClient(stack);
  }

  get play(): Play {
    if (this.#play === undefined) throw new Error('nothing is being played');
    return this.#play;
  }

  /** The tables, without faults: to set up, and to look. */
  get client(): DynamoDBClient {
    return this.stack.dynamoDb.client;
  }

  /** What a function's own DynamoDB client is made with. */
  clientConfig() {
    const { client: inner, work, clock, bill } = this;
    return faultyConfig({
      inner,
      work,
      clock,
      bill,
      play: () => this.play,
      beforeCall: key => this.deleteExpired(key),
    });
  }

  /** What stands between state machines and services, where the contender has any. */
  intercept: Interceptor = (_call, next) => next();

  /** Begins with a schedule. */
  begin(schedule: Schedule, key: string): Play {
    this.#play = new Play(schedule, key, this.clock, this.work);
    return this.#play;
  }

  /** Deletes the event's item, if DynamoDB would have by now. */
  async deleteExpired(key: string): Promise<void> {
    if (this.expiring === undefined) return;
    const afterMs = this.play.schedule.deletedAfter * 1000;
    const isDeleted = await deleteExpired(this.client, this.expiring, {
      key,
      now: this.clock.now(),
      afterMs,
    });
    if (isDeleted) this.play.note('elsewhere', 'step', 'DynamoDB has deleted the expired item', key);
  }

  /** Calls back when so many seconds have passed since the schedule began. */
  after(seconds: number, action: () => void): void {
    this.clock.at(this.play.startedAt + seconds * 1000, action);
  }

  /** Stops what would go on for ever, such as an execution that looks at a record every ten seconds; says how many. */
  async stopAll(): Promise<number> {
    const { runtime } = this.stack;
    const waiting = runtime.running().filter(arn => !arn.includes(':express:'));
    for (const executionArn of waiting) {
      this.play.note('elsewhere', 'step', 'an execution still waits, and is not waited for any longer');
      await runtime.stopExecution({ executionArn });
    }
    await runtime.work.idle();
    return waiting.length;
  }

  /**
   * Lets time pass until nothing continues automatically any more, or until this time, epoch milliseconds. Schedules,
   * such as that of an hourly search, do not fire meanwhile, or there would be no end.
   */
  async settle(until: number): Promise<void> {
    const { clock, work, http } = this;
    await work.hold(async () => {
      await http.idle();
      for (let due = clock.nextDue(); due !== undefined && due <= until; due = clock.nextDue()) {
        clock.advanceTo(due);
        await http.idle();
      }
    });
  }
}
