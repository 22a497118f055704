/** A function as the template deploys it. */
export interface FunctionSpec {
  readonly arn: string;
  readonly name: string;
  /** The unpacked asset, what Lambda mounts as `/var/task`. */
  readonly directory: string;
  /** As Lambda names it, e.g. `python3.13`. @default - Node.js */
  readonly runtime?: string;
  /** File and export, e.g. `index.handler`. */
  readonly handler: string;
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
  /** What `/tmp` holds. @default 512 */
  readonly storageMb?: number;
  readonly environment: Readonly<Record<string, string>>;
  /** Whether no event of it runs, as its reserved concurrency is 0. @default false */
  readonly isThrottled?: boolean;
}

/** The runtime of a function that a server or a command runs, which the handler names. */
export const EXTERNAL = 'external';

/** Whether it runs in Python; all others do in Node.js. */
export function isPython({ runtime = '' }: FunctionSpec): boolean {
  return runtime.startsWith('python');
}

/** One line that a function wrote to its standard output or standard error, without the line break. */
export interface LogLine {
  readonly functionName: string;
  /**
   * The invocation that ran when the line was written; absent while the module was loading or between
   * invocations.
   */
  readonly requestId?: string;
  readonly text: string;
}
