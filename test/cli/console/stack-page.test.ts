import { createServer, type Server } from 'node:http';
import { serveStackPage } from '../../../cli/console/stack-page';

describe("a stack's page", () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  /** A program on a port of its own, and the endpoint of a stack whose page would be on that port. */
  async function taken(): Promise<string> {
    const server = createServer();
    // Below the ports that the system gives to processes that ask for any: no other process takes it when it is free
    // again.
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const isListening = new Promise<boolean>(resolve => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!(await isListening)) return taken();
    servers.push(server);
    return `http://127.0.0.1:${port - 1}`;
  }

  test('the port above is free: that one; it answers until it is closed', async () => {
    const endpoint = await taken();
    await new Promise(resolve => servers.pop()?.close(resolve));
    const page = await serveStackPage(endpoint, 'us-east-1');

    expect(Number(new URL(page?.url ?? '').port)).toBe(Number(new URL(endpoint).port) + 1);
    expect((await fetch(page?.url ?? '')).status).toBe(200);
    await page?.close();
    await expect(fetch(page?.url ?? '')).rejects.toThrow('fetch failed');
  });

  test('another program has it, or there is none above: any that is free', async () => {
    for (const endpoint of [await taken(), 'http://127.0.0.1:65535']) {
      const page = await serveStackPage(endpoint, 'us-east-1');

      expect((await fetch(page?.url ?? '')).status).toBe(200);
      await page?.close();
    }
  });

  test('the stack does not answer: the view is a sentence', async () => {
    const page = await serveStackPage('http://127.0.0.1:1', 'us-east-1');

    expect(await (await fetch(`${page?.url}/api/connection`)).json()).toEqual({
      error: expect.stringMatching(/^ListStateMachines failed/),
    });
    await page?.close();
  });
});
