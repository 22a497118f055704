import {
  type Counts,
  countsOf,
  type Effect,
  type MapRun,
  type MapRunLimits,
  type Signal,
  waitedRuns,
} from '../../engine/index';
import type { Answering } from '../calls/answer';
import type { RegisteredMachine } from '../catalogue/registered-machine';
import { requireExecutionArn, requireMapRunArn } from '../requests/arns';
import { StatesError } from '../requests/errors';
import { type PageRequest, pageOf } from '../requests/pages';
import type { StoredExecution } from '../store/store';
import {
  describeMapRun,
  type KnownMapRun,
  type MapRunDescription,
  type MapRunSummary,
  summarizeMapRun,
} from './describe-map-run';
import { ActiveRun, type ChildPorts, type EndedChildren } from './map-run';
import { readItems } from './read-items';
import { writeResults } from './result-writer';

export interface MapRunPorts extends ChildPorts, Answering {}

/** The execution that waits for a Map Run. */
export interface Waiter {
  readonly executionArn: string;
  readonly machine: RegisteredMachine;
  /** Fires when the run is not waited for any more: its executions are stopped. */
  readonly abort: AbortSignal;
  readonly answer: (signal: Signal) => void;
}

/** What UpdateMapRun takes. */
export type UpdateMapRunRequest = { readonly mapRunArn: string } & MapRunLimits;

type RunEffect = Effect & { readonly kind: 'readItems' | 'runChildren' };

/** Runs the Map Runs of executions, and answers Step Functions' operations on them. */
export class MapRuns {
  readonly #ports: MapRunPorts;
  readonly #active = new Map<string, ActiveRun>();
  /** The executions that runs belong to, as far as they have been asked for or begun here. */
  readonly #parents = new Map<string, string>();

  constructor(ports: MapRunPorts) {
    this.#ports = ports;
  }

  /** Does the next work of a Map Run, and answers its callers. */
  perform(effect: RunEffect, waiter: Waiter): void {
    this.#parents.set(effect.run.arn, waiter.executionArn);
    const { work, report } = this.#ports;
    work.begin();
    const done =
      effect.kind === 'readItems' ? this.#readItems(effect, waiter) : this.#runChildren(effect, waiter);
    done
      .catch(error => report(new Error(`the Map Run ${effect.run.arn} broke`, { cause: error })))
      .finally(() => work.end());
  }

  /** Gives a run other limits. */
  limit(run: MapRun): void {
    this.#active.get(run.arn)?.limit(run);
  }

  /** @throws StatesError `InvalidArn`, `ResourceNotFound` */
  describe(mapRunArn: string): MapRunDescription {
    const known = this.#find(mapRunArn);
    return describeMapRun(known, this.#active.get(mapRunArn)?.counts);
  }

  /** The runs of an execution, newest first. @throws StatesError `InvalidArn`, `ExecutionDoesNotExist` */
  list(request: PageRequest & { readonly executionArn: string }): {
    readonly mapRuns: readonly MapRunSummary[];
    readonly nextToken?: string;
  } {
    requireExecutionArn(request.executionArn);
    const stored = this.#ports.store.find(request.executionArn);
    if (!stored) {
      throw new StatesError('ExecutionDoesNotExist', `Execution Does Not Exist: '${request.executionArn}'`);
    }
    const { items, ...more } = pageOf(runsOf(stored), request, { isNewestFirst: true });
    return { mapRuns: items.map(summarizeMapRun), ...more };
  }

  /**
   * Changes the limits of a run while it runs; one that has ended stays as it is.
   *
   * @throws StatesError `InvalidArn`, `ResourceNotFound`
   */
  async update({ mapRunArn, ...limits }: UpdateMapRunRequest): Promise<void> {
    const { stored, taskId } = this.#find(mapRunArn);
    if (taskId === undefined) return;
    await this.#ports.signal(stored.execution.arn, { kind: 'mapRunUpdated', taskId, ...limits });
  }

  async #readItems(effect: Effect & { kind: 'readItems' }, waiter: Waiter): Promise<void> {
    const { taskId, stateName, source } = effect;
    const { executionArn } = waiter;
    const read = await readItems(source, { executionArn, stateName }, this.#ports);
    if (read.kind === 'items') waiter.answer({ kind: 'itemsRead', taskId, items: read.items });
    else waiter.answer(failed(taskId, 'States.ItemReaderFailed', read.reason, countsOf(0, 0)));
  }

  async #runChildren(effect: Effect & { kind: 'runChildren' }, waiter: Waiter): Promise<void> {
    const { arn } = effect.run;
    const run = new ActiveRun(effect, waiter.machine, this.#ports, children => {
      this.#active.delete(arn);
      this.#finish(effect, waiter, children);
    });
    this.#active.set(arn, run);
    waiter.abort.addEventListener('abort', () => {
      this.#active.delete(arn);
      run.stop();
    });
    run.start();
  }

  #finish(effect: Effect & { kind: 'runChildren' }, waiter: Waiter, children: EndedChildren): void {
    const { work, report } = this.#ports;
    work.begin();
    this.#outcome(effect, waiter, children)
      .then(waiter.answer)
      .catch(error => report(new Error(`the Map Run ${effect.run.arn} broke`, { cause: error })))
      .finally(() => work.end());
  }

  async #outcome(
    { taskId, run, stateName, destination }: Effect & { kind: 'runChildren' },
    { executionArn }: Waiter,
    children: EndedChildren,
  ): Promise<Signal> {
    const { executions, items } = children.counts;
    const counts = { executions, items };
    if (destination !== null) {
      const ports = {
        answering: this.#ports,
        writer: { executionArn, stateName },
        mapRunArn: run.arn,
        destination,
      };
      const written = await writeResults(children, ports);
      if (written.kind === 'failed')
        return failed(taskId, 'States.ResultWriterFailed', written.cause, counts);
      if (!children.isExceeded) return succeeded(taskId, JSON.stringify(written.output), counts);
    }
    if (children.isExceeded)
      return failed(taskId, 'States.ExceedToleratedFailureThreshold', EXCEEDED, counts);
    const outputs = [...children.executions]
      .sort(([one], [other]) => one - other)
      .flatMap(([, { end }]) => end?.output?.text ?? []);
    return succeeded(taskId, `[${outputs.join(',')}]`, counts);
  }

  #find(mapRunArn: string): KnownMapRun {
    requireMapRunArn(mapRunArn);
    const { store } = this.#ports;
    const known = this.#parents.get(mapRunArn);
    const stored = known === undefined ? undefined : store.find(known);
    // An earlier process has begun it: all executions that are kept are looked through.
    const candidates = stored ? [stored] : store.all();
    for (const candidate of candidates) {
      const run = runsOf(candidate).find(({ run: { arn } }) => arn === mapRunArn);
      if (!run) continue;
      this.#parents.set(mapRunArn, candidate.execution.arn);
      return run;
    }
    throw new StatesError('ResourceNotFound', `Resource not found: '${mapRunArn}'`);
  }
}

/** The runs of an execution, first one first. */
function runsOf(stored: StoredExecution): readonly KnownMapRun[] {
  const { mapRuns = [], root } = stored.execution;
  return [
    ...mapRuns.map(ended => ({ stored, run: ended, ended })),
    ...(stored.execution.status === 'RUNNING'
      ? waitedRuns(root).map(({ run, taskId, inputs }) => ({ stored, run, taskId, inputs }))
      : []),
  ];
}

const EXCEEDED = 'The specified tolerated failure threshold was exceeded';

function succeeded(taskId: string, output: string, counts: Counts): Signal {
  return { kind: 'mapRunEnded', taskId, outcome: { kind: 'succeeded', output }, ...counts };
}

function failed(taskId: string, error: string, cause: string, counts: Counts): Signal {
  return { kind: 'mapRunEnded', taskId, outcome: { kind: 'failed', error, cause }, ...counts };
}
