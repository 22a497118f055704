import { fork } from 'node:child_process';
import path from 'node:path';
import type { Asked, Said } from './child';

/**
 * Asks a process of its own: it alone has the contender's packages and the given time of day. What it prints is
 * dropped.
 *
 * @throws Error with what went wrong there; the signal's reason
 */
export function ask(
  asked: Asked,
  heard: (said: Said) => void,
  signal: AbortSignal,
): Promise<Exclude<Said, { kind: 'progress' }>> {
  return new Promise((resolve, reject) => {
    const child = fork(path.join(__dirname, 'child.ts'), [], {
      execArgv: ['--require', require.resolve('tsx/cjs')],
      env: { ...process.env, AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true', TZ: 'UTC' },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const complaints: string[] = [];
    child.stderr?.on('data', chunk => complaints.push(String(chunk)));
    const end = () => child.kill('SIGKILL');
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    let answer: Exclude<Said, { kind: 'progress' }> | undefined;
    child.on('message', (said: Said) => {
      if (said.kind === 'progress') heard(said);
      else answer = said;
    });
    child.on('error', reject);
    child.on('exit', code => {
      signal.removeEventListener('abort', end);
      if (answer?.kind === 'failed') reject(new Error(answer.reason));
      else if (answer) resolve(answer);
      else
        reject(
          signal.aborted
            ? new Error('interrupted')
            : new Error(`ended with ${code}: ${complaints.join('').slice(-2000)}`),
        );
    });
    child.send(asked);
  });
}
