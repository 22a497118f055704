import type { Execution, HistoryEvent } from '../../engine/index';
import type { MachineChoice } from '../catalogue/registered-machine';
import { CompressedExecution } from './compressed-execution';
import { PackedExecution } from './packed-execution';
import type { ListedExecution, Store, StoredExecution } from './store';

/** What becomes of executions that have ended. */
export interface Retention {
  /** How many are kept; of more, those that ended first are forgotten. At least 1. */
  readonly keep: number;
  /** Called with the ARN of each one that is about to be forgotten. */
  readonly forgetting?: (executionArn: string) => void;
  /** Called with each one that has just been compressed, and what it was made of. */
  readonly compressed?: (compressed: CompressedExecution, stored: StoredExecution) => void;
}

/** An execution that can grow. */
interface Item extends StoredExecution {
  execution: Execution;
  readonly history: HistoryEvent[];
}

/** Executions that are compressed before other work goes on: less than a millisecond's work. */
const COMPRESSED_AT_ONCE = 16;

/**
 * A store that lasts as long as the process. Without a retention it keeps everything; with one, executions that have
 * ended are compressed, and only so many are kept. Both happen a little later, so that callers that waited for an end
 * still find it.
 */
export class MemoryStore implements Store {
  readonly #items = new Map<string, Item | PackedExecution | CompressedExecution>();
  readonly #retention: Retention | undefined;
  /** Those that have ended, first end first, and those of them that are not compressed. */
  readonly #ended = new Set<string>();
  readonly #uncompressed = new Set<string>();
  /** Those that have ended and are about to go on: they are not forgotten. */
  readonly #held = new Set<string>();
  #isTidying = false;
  /** The last decompressed value: a reader of history pages asks for it again and again. */
  #lastFound: { readonly of: CompressedExecution; readonly stored: StoredExecution } | undefined;

  constructor(retention?: Retention) {
    this.#retention = retention;
  }

  find(executionArn: string): StoredExecution | undefined {
    const item = this.#items.get(executionArn);
    if (item instanceof PackedExecution) return item.unpacked();
    if (!(item instanceof CompressedExecution)) return item;
    if (this.#lastFound?.of !== item) this.#lastFound = { of: item, stored: item.decompressed() };
    return this.#lastFound.stored;
  }

  list(machineArn: string): readonly ListedExecution[] {
    const items = [...this.#items.values()].filter(({ choice }) => choice.machine.arn === machineArn);
    return items.map(item => (item instanceof PackedExecution ? item.unpacked() : item));
  }

  *all(): Iterable<StoredExecution> {
    for (const item of this.#items.values()) {
      if (item instanceof CompressedExecution) yield item.decompressed();
      else yield item instanceof PackedExecution ? item.unpacked() : item;
    }
  }

  running(): readonly StoredExecution[] {
    // Only what has ended is compressed or packed.
    const items = [...this.#items.values()].flatMap(item => ('history' in item ? [item] : []));
    return items.filter(({ execution }) => execution.status === 'RUNNING');
  }

  create(choice: MachineChoice, execution: Execution): void {
    this.#add(execution.arn, { choice, execution, history: [] });
  }

  save(execution: Execution, events: readonly HistoryEvent[]): void {
    const { arn } = execution;
    const item = this.#itemOf(arn);
    item.execution = execution;
    for (const event of events) item.history.push(event);
    if (!this.#retention) {
      if (execution.status !== 'RUNNING') this.#items.set(arn, new PackedExecution(item));
      return;
    }
    this.#ended.delete(arn);
    this.#uncompressed.delete(arn);
    if (execution.status !== 'RUNNING') this.#rest(arn);
  }

  hold(executionArn: string): () => void {
    this.#held.add(executionArn);
    return () => {
      this.#held.delete(executionArn);
      this.#tidySoon();
    };
  }

  /** Adds one that has ended, as an earlier process has compressed it. */
  restore(compressed: CompressedExecution): void {
    const { arn } = compressed.execution;
    this.#add(arn, compressed);
    this.#ended.add(arn);
    if (this.#ended.size > (this.#retention?.keep ?? Number.POSITIVE_INFINITY)) this.#tidySoon();
  }

  /** Drops an execution and its history. */
  forget(executionArn: string): void {
    const item = this.#items.get(executionArn);
    if (!item) return;
    if (this.#lastFound?.of === item) this.#lastFound = undefined;
    this.#items.delete(executionArn);
    this.#ended.delete(executionArn);
    this.#uncompressed.delete(executionArn);
  }

  #add(arn: string, item: Item | CompressedExecution): void {
    // One that was there before comes last in the order of starts from now on.
    this.forget(arn);
    this.#items.set(arn, item);
  }

  /** An execution in a form that can grow: decompressed, if a redrive resumes it. */
  #itemOf(arn: string): Item {
    const stored = this.#items.get(arn);
    if (!stored) throw new Error(`an execution that was never created: ${arn}`);
    if ('history' in stored) return stored;
    const { choice, execution, history } =
      stored instanceof PackedExecution ? stored.unpacked() : stored.decompressed();
    const item: Item = { choice, execution, history: [...history] };
    this.#items.set(arn, item);
    return item;
  }

  #rest(arn: string): void {
    this.#ended.add(arn);
    this.#uncompressed.add(arn);
    this.#tidySoon();
  }

  #tidySoon(): void {
    if (this.#isTidying) return;
    this.#isTidying = true;
    setImmediate(() => this.#tidy()).unref();
  }

  #tidy(): void {
    const { keep = Number.POSITIVE_INFINITY, forgetting, compressed } = this.#retention ?? {};
    for (const arn of this.#ended) {
      if (this.#ended.size - this.#held.size <= keep) break;
      if (this.#held.has(arn)) continue;
      forgetting?.(arn);
      this.forget(arn);
    }
    let count = 0;
    for (const arn of this.#uncompressed) {
      if (count === COMPRESSED_AT_ONCE) break;
      count += 1;
      this.#uncompressed.delete(arn);
      const stored = this.#itemOf(arn);
      const item = CompressedExecution.of(stored);
      this.#items.set(arn, item);
      compressed?.(item, stored);
    }
    this.#isTidying = this.#uncompressed.size > 0;
    if (this.#isTidying) setImmediate(() => this.#tidy()).unref();
  }
}
