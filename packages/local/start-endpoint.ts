import { once } from 'node:events';
import { createServer } from 'node:net';
import type { ServiceRoute } from './api/exchange';
import { type Api, type ApiOptions, startApi } from './api/server';
import { LocalError } from './local-error';

const PORT_MAX = 65_535;

/** An endpoint for a stack. @throws LocalError `PortUnavailable` */
export async function startEndpoint(routes: readonly ServiceRoute[], options: ApiOptions): Promise<Api> {
  return listening(options.port ?? 0, () => startApi(routes, options));
}

/**
 * Makes sure that a loopback port is free, before anything is made that would be of no use without it.
 *
 * It may be taken in the meantime: what counts is whether the endpoint gets it.
 *
 * @throws LocalError `PortUnavailable`, also for a value that is not a port
 *
 * @example
 * await requirePort(8083);
 */
export async function requirePort(port: number): Promise<void> {
  await listening(port, async () => {
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
  });
}

async function listening<Result>(port: number, listen: () => Promise<Result>): Promise<Result> {
  if (!(Number.isInteger(port) && port >= 0 && port <= PORT_MAX)) {
    const problem = `\`port\` is a whole number from 0, which is any that is free, to ${PORT_MAX}, got ${port}`;
    throw new LocalError('PortUnavailable', [problem]);
  }
  try {
    return await listen();
  } catch (error) {
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    const reason = code === 'EACCES' ? 'cannot be used without more rights' : 'is in use';
    throw new LocalError('PortUnavailable', [
      `port ${port} of 127.0.0.1 ${reason}; choose another, or 0 for any that is free`,
    ]);
  }
}
