import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startLocal, VirtualClock, WorkTracker } from '@onceflow/local';
import { App, CfnOutput, Stack } from 'aws-cdk-lib';
import type { Contender, Entrant } from './contenders/contender';
import { besideKeys, judge, type Outcome } from './judge';
import type { Schedule } from './schedule';
import { type Bill, billBetween } from './world/bill';
import { AMOUNT, OTHER_AMOUNT, type Play, type Step } from './world/play';
import { replaceDateNow } from './world/process';
import { World } from './world/world';

/** When every league begins. */
const T0 = Date.parse('2026-11-20T09:00:00Z');
/** So long after its last delivery or fault a schedule is played: longer than the retries of most go on. */
const AFTERWARDS_HOURS = 12;

/** What one schedule came to with one contender. */
export interface Played {
  readonly outcome: Outcome;
  readonly steps: readonly Step[];
  readonly bill: Bill;
}

/** A contender, on a local stack of its own, to which schedules are played one after the other. */
export class ContenderRun {
  readonly #world: World;
  readonly #entrant: Entrant;
  readonly #close: () => Promise<void>;
  readonly #afterwardsMs: number;
  #count = 0;

  private constructor(
    { retriesHours = AFTERWARDS_HOURS }: Contender,
    world: World,
    entrant: Entrant,
    close: () => Promise<void>,
  ) {
    this.#afterwardsMs = retriesHours * 3600 * 1000;
    this.#world = world;
    this.#entrant = entrant;
    this.#close = close;
  }

  static async open(contender: Contender): Promise<ContenderRun> {
    const clock = new VirtualClock(T0);
    const work = new WorkTracker();
    const stack = await startLocal({
      assembly: assemblyOf(contender),
      clock,
      work,
      seed: '1',
      port: 0,
      interceptor: (call, next) => world.intercept(call, next),
    });
    const world = new World(stack, clock, work);
    const restore = replaceDateNow(() => clock.now());
    const close = async () => {
      restore();
      world.http.close();
      await stack.close();
    };
    try {
      return new ContenderRun(contender, world, await contender.open(world), close);
    } catch (error) {
      await close();
      throw error;
    }
  }

  /** Plays a schedule, to its end. */
  async play(schedule: Schedule): Promise<Played> {
    this.#count += 1;
    const world = this.#world;
    const before = { ...world.bill };
    const play = world.begin(schedule, `order-${this.#count}`);
    this.#entrant.reset();
    schedule.deliveries.forEach(({ at, isOther }, delivery) => {
      const order = { key: play.key, amount: isOther ? OTHER_AMOUNT : AMOUNT, delivery };
      world.after(at, () => {
        const payload = isOther ? ', with another payload' : '';
        play.note('deliveries', 'comes', `delivery ${delivery + 1} comes${payload}`);
        void this.#entrant.deliver(order);
        if (delivery > 0) return;
        for (const key of besideKeys(play))
          void this.#entrant.deliver({ key, amount: AMOUNT, delivery: undefined });
      });
    });
    await world.settle(this.#end(play));
    play.isWaiting = (await world.stopAll()) > 0;
    const reported = new Set(await this.#entrant.reportedKeys());
    if (reported.has(play.key))
      play.note('elsewhere', 'step', 'in the end the event is reported to an operator');
    const bill = billBetween(before, world.bill);
    return { outcome: judge(play, reported), steps: play.steps, bill };
  }

  close(): Promise<void> {
    return this.#close();
  }

  #end({ startedAt, schedule: { deliveries, faults, outage } }: Play): number {
    const seconds = [
      ...deliveries.map(({ at }) => at),
      outage?.[1] ?? 0,
      faults.reduce((sum, fault) => sum + fault.seconds, 0),
    ];
    return startedAt + Math.max(...seconds) * 1000 + this.#afterwardsMs;
  }
}

const ASSEMBLIES = new Map<string, string>();

/** The directory of the contender's cloud assembly, synthesized once in a process, and removed with it. */
function assemblyOf({ id, assembly = synthesizeNothing }: Contender): string {
  const synthesized = ASSEMBLIES.get(id);
  if (synthesized !== undefined) return synthesized;
  const directory = mkdtempSync(path.join(tmpdir(), 'onceflow-league-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  ASSEMBLIES.set(id, assembly(directory));
  return directory;
}

/** An app with nothing that is deployed: queues and tables are made by the contender. */
function synthesizeNothing(outdir: string): string {
  const app = new App({ outdir });
  const stack = new Stack(app, 'League');
  new CfnOutput(stack, 'Nothing', { value: 'nothing' });
  return app.synth().directory;
}
