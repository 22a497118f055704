import type { FunctionSpec } from './function-spec';

/** Bytes of a log that Invoke answers with `LogType: Tail`. */
const TAIL_BYTES = 4_096;

/**
 * The log of one invocation with the lines that Lambda writes around the function's own. The maximum of used memory is
 * left out, because it is not recorded.
 */
export class InvocationLog {
  readonly #spec: FunctionSpec;
  readonly #requestId: string;
  readonly #lines: string[] = [];

  constructor(spec: FunctionSpec, requestId: string) {
    this.#spec = spec;
    this.#requestId = requestId;
  }

  /** Adds a line that the function has written. */
  add(line: string): void {
    this.#lines.push(line);
  }

  /** The last 4 kB of the log, after an invocation that took so long, in base64 as `LogResult` has it. */
  tail(durationMs: number): string {
    const id = `RequestId: ${this.#requestId}`;
    const report = [
      `REPORT ${id}`,
      `Duration: ${durationMs.toFixed(2)} ms`,
      `Billed Duration: ${Math.ceil(durationMs)} ms`,
      `Memory Size: ${this.#spec.memoryMb} MB`,
    ];
    const lines = [`START ${id} Version: $LATEST`, ...this.#lines, `END ${id}`, report.join('\t')];
    return Buffer.from(`${lines.join('\n')}\n`)
      .subarray(-TAIL_BYTES)
      .toString('base64');
  }
}
