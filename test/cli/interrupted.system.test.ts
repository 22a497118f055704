import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { RUN_TYPESCRIPT } from '../support/run-typescript';

const ROOT = path.join(__dirname, '../..');

describe('Ctrl-C while AWS does not answer', () => {
  let server: Server;
  let onRequest: () => void;
  beforeAll(async () => {
    server = createServer(() => onRequest()).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  test.each([
    [['show', 'order-7'], 'interrupted'],
    [['result', 'order-7'], 'interrupted'],
    [['list'], 'interrupted'],
    [['cost'], 'interrupted'],
    [['release', 'order-7', '--yes'], 'interrupted; some changes might already have been made'],
  ])('%j: exit code 130, and %s', async (args, message) => {
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const command = [...RUN_TYPESCRIPT, 'cli/main.ts', ...args, '--json', '--endpoint', endpoint];
    const child = spawn(process.execPath, command, { cwd: ROOT });
    onRequest = () => child.kill('SIGINT');
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);

    expect({ code, stderr }).toEqual({ code: 130, stderr: `onceflow: ${message}\n` });
    expect(JSON.parse(stdout)).toEqual({ message });
  });
});
