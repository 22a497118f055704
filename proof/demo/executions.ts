import type { ExecutionDescription, LocalStack } from '@onceflow/local';
import { type OrderOf, orderOf } from './order';

type Key = OrderOf['key'];

/** The executions of the workflow from every source, their ends, and whether an order has come to rest. */
export class WorkflowExecutions {
  readonly #latest = new Map<string, ExecutionDescription>();
  readonly #keys = new Map<string, Key>();
  readonly #running = new Map<Key, number>();
  readonly #waiting = new Map<Key, (() => void)[]>();
  readonly #succeeded = new Set<Key>();
  #justEnded = new Set<string>();
  readonly #underWay = new Set<string>();
  #aborted = 0;
  #redriven = 0;

  /** Listens from now on. */
  constructor({ runtime, output }: LocalStack) {
    const stateMachineArn = output('StateMachineArn');
    runtime.subscribe(({ kind, execution }) => {
      if (kind === 'ended') this.#underWay.delete(execution.executionArn);
      else this.#underWay.add(execution.executionArn);
      if (execution.stateMachineArn !== stateMachineArn) return;
      this.#latest.set(execution.executionArn, execution);
      if (kind === 'ended') this.#end(execution);
      else this.#count(execution, kind === 'redriven');
    });
  }

  /** All of them as they are now, in the order of their starts. */
  get all(): readonly ExecutionDescription[] {
    return [...this.#latest.values()];
  }

  /** Whether nothing is running, of this workflow or of any other state machine. */
  get allHaveEnded(): boolean {
    return this.#underWay.size === 0;
  }

  /** How often one was stopped; the same one may have been stopped several times. */
  get aborted(): number {
    return this.#aborted;
  }

  /** How often one went on by a redrive. */
  get redriven(): number {
    return this.#redriven;
  }

  /** The idempotency key's text of an execution; undefined where its event has none. */
  keyOf(executionArn: string): Key {
    return this.#keys.get(executionArn);
  }

  hasSucceeded(key: Key): boolean {
    return this.#succeeded.has(key);
  }

  /** Resolves when no execution of a key is running, at once where none is. */
  async atRest(key: Key): Promise<void> {
    if ((this.#running.get(key) ?? 0) === 0) return;
    await new Promise<void>(resolve => this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), resolve]));
  }

  /** Those that have ended since this was asked last, as they are now. */
  takeEnded(): ExecutionDescription[] {
    const arns = [...this.#justEnded];
    this.#justEnded = new Set();
    return arns.flatMap(arn => this.#latest.get(arn) ?? []);
  }

  #count({ executionArn, input }: ExecutionDescription, isRedriven: boolean): void {
    if (isRedriven) this.#redriven += 1;
    else this.#keys.set(executionArn, orderOf(detailOf(input)).key);
    const key = this.keyOf(executionArn);
    this.#running.set(key, (this.#running.get(key) ?? 0) + 1);
  }

  #end({ executionArn, status }: ExecutionDescription): void {
    const key = this.keyOf(executionArn);
    this.#justEnded.add(executionArn);
    if (status === 'SUCCEEDED') this.#succeeded.add(key);
    if (status === 'ABORTED') this.#aborted += 1;
    const running = (this.#running.get(key) ?? 0) - 1;
    this.#running.set(key, running);
    if (running > 0) return;
    const waiting = this.#waiting.get(key) ?? [];
    this.#waiting.delete(key);
    for (const resolve of waiting) resolve();
  }
}

/** The detail of the event that an execution was started with. */
export function detailOf(input: string): Readonly<Record<string, unknown>> {
  const { detail } = JSON.parse(input) as { readonly detail?: Readonly<Record<string, unknown>> };
  return detail ?? {};
}
