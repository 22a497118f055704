import { installedConsole } from '../app/installed';
import { clientsFor } from '../aws/clients';
import type { LocalStackAccess, StackPage } from '../dev/local-stack-access';
import { connectionTo } from './connection';
import { serveConsole } from './server/server';

/** Another program has the port, there is none of that number, or it takes an administrator. */
const NOT_THAT_PORT = ['EADDRINUSE', 'ERR_SOCKET_BAD_PORT', 'EACCES'];

/**
 * Serves the page of the stack behind an endpoint, on the port above the endpoint's, or on any that is free where
 * another program has that one. Undefined where @onceflow/console is not installed.
 */
export async function serveStackPage(
  endpoint: string,
  region: string,
  local: () => LocalStackAccess | undefined = () => undefined,
): Promise<StackPage | undefined> {
  const page = await installedConsole()?.readPage();
  if (page === undefined) return undefined;
  const ended = new AbortController();
  const aws = clientsFor({ endpoint, region }, process.env, ended.signal);
  const connection = connectionTo(aws, {
    where: endpoint,
    isLocal: true,
    mayWrite: true,
    local,
    stack: undefined,
  });
  const beside = Number(new URL(endpoint).port) + 1;
  const server = await serveConsole(page, connection, beside).catch((error: NodeJS.ErrnoException) => {
    if (!NOT_THAT_PORT.includes(error.code ?? '')) throw error;
    return serveConsole(page, connection, 0);
  });
  return {
    url: server.url,
    async close() {
      ended.abort();
      await server.close();
      aws.close();
    },
  };
}
