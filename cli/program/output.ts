import { EXIT } from './exit';

/**
 * Lets others close the pipe when they have seen enough, as `head` does. Any other error of the output ends the process
 * with a line that says so: the work is done, and its result is unreadable.
 */
export function exitOnBrokenPipe(name: string): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    process.stderr.write(`${name}: the output cannot be written (${error.code})\n`);
    process.exit(EXIT.failed);
  });
  process.stderr.on('error', () => undefined);
}
