import type { Execution } from '../../engine/index';
import type { Data } from '../../language/index';
import type { MachineChoice } from '../catalogue/registered-machine';
import { type PackedHistory, packedHistory, unpackedHistory } from './packed-history';
import type { StoredExecution } from './store';

/** An execution that has ended, in a third of the memory and a fraction of the objects. */
export class PackedExecution {
  readonly choice: MachineChoice;
  readonly #execution: Execution | Success;
  readonly #history: PackedHistory;

  constructor({ choice, execution, history }: StoredExecution) {
    this.choice = choice;
    this.#execution = isPlainSuccess(execution) ? new Success(execution) : execution;
    this.#history = packedHistory(history);
  }

  /** As it was; made anew each time it is read. */
  get execution(): Execution {
    return this.#execution instanceof Success ? this.#execution.unpacked() : this.#execution;
  }

  /** As it was. Most who look for an execution do not look at its history: it is made when it is read. */
  unpacked(): StoredExecution {
    const { choice, execution } = this;
    const history = this.#history;
    return {
      choice,
      execution,
      get history() {
        return unpackedHistory(history);
      },
    };
  }
}

/** An execution that has succeeded as most do: without a signal from outside, and without Map Runs. */
type PlainSuccess = Execution & { readonly end: { readonly at: number; readonly output: Data } };

function isPlainSuccess(execution: Execution): execution is PlainSuccess {
  const { status, redrives, redriveCount, redrivenAt, mapRuns, root, end } = execution;
  const isFirstRun = redriveCount === 0 && redrivenAt === null && redrives.length === 0;
  const isBare = root === null && mapRuns?.length === 0;
  return status === 'SUCCEEDED' && isFirstRun && isBare && end?.output !== undefined;
}

/** What differs between such executions. Hardly anyone asks for values, so they are read from their texts. */
class Success {
  readonly #arn: string;
  readonly #name: string;
  readonly #kind: Execution['kind'];
  readonly #input: string;
  readonly #output: string;
  readonly #startedAt: number;
  // Milliseconds since then: small numbers take no object of their own.
  readonly #advancedAfter: number;
  readonly #endedAfter: number;
  readonly #lastEventId: number;
  readonly #eventIdBeforeAdvance: number;
  readonly #transitions: number;

  constructor(execution: PlainSuccess) {
    const { startedAt, end } = execution;
    this.#arn = execution.arn;
    this.#name = execution.name;
    this.#kind = execution.kind;
    this.#input = execution.input.text;
    this.#output = end.output.text;
    this.#startedAt = startedAt;
    this.#advancedAfter = execution.lastAdvancedAt - startedAt;
    this.#endedAfter = end.at - startedAt;
    this.#lastEventId = execution.lastEventId;
    this.#eventIdBeforeAdvance = execution.eventIdBeforeAdvance;
    this.#transitions = execution.transitions;
  }

  unpacked(): Execution {
    const startedAt = this.#startedAt;
    return {
      arn: this.#arn,
      name: this.#name,
      kind: this.#kind,
      status: 'SUCCEEDED',
      input: dataIn(this.#input),
      startedAt,
      redriveCount: 0,
      redrivenAt: null,
      redrives: [],
      mapRuns: [],
      lastEventId: this.#lastEventId,
      transitions: this.#transitions,
      lastAdvancedAt: startedAt + this.#advancedAfter,
      eventIdBeforeAdvance: this.#eventIdBeforeAdvance,
      root: null,
      end: { at: startedAt + this.#endedAfter, output: dataIn(this.#output) },
    };
  }
}

function dataIn(text: string): Data {
  return {
    get value() {
      return JSON.parse(text);
    },
    text,
  };
}
