import type { ApiBackend } from './api/routes';
import { type Api, type ApiOptions, startApi } from './api/server';
import { LocalError } from './local-error';

/** An endpoint for a stack. @throws LocalError `PortUnavailable` */
export async function startEndpoint(backend: ApiBackend, options: ApiOptions): Promise<Api> {
  try {
    return await startApi(backend, options);
  } catch (error) {
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    const reason = code === 'EACCES' ? 'may not be used' : 'is in use';
    throw new LocalError('PortUnavailable', [`port ${options.port} of 127.0.0.1 ${reason}; choose another`]);
  }
}
