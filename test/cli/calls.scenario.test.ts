import { createServer, request as forward, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StartExecutionCommand } from '@aws-sdk/client-sfn';
import { clientsFor } from '../../cli/aws/clients';
import { readArguments } from '../../cli/commands/registry';
import { connectionTo } from '../../cli/console/connection';
import { routeFor } from '../../cli/console/server/routes';
import { returns } from '../support/world';
import { CALLS } from './calls';
import { THREE_WORKFLOWS } from './three-workflows';
import { type CliWorld, NOBODY, ORDER, openCliWorld } from './world';

/** Executions of other keys. */
const OTHERS = 100;

/** Passes requests on, and counts the operations that they name. */
function countingProxy(endpoint: string) {
  const counted = new Map<string, number>();
  const server: Server = createServer((from, to) => {
    const [service, operation = '?'] = String(from.headers['x-amz-target'] ?? '').split(/\.(?=[^.]*$)/);
    // Of a stack on this machine alone.
    if (service !== 'OnceflowLocal') counted.set(operation, (counted.get(operation) ?? 0) + 1);
    const { method, headers, url } = from;
    const onwards = forward(`${endpoint}${url}`, { method, headers }, answer => {
      to.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(to);
    });
    from.pipe(onwards);
  });
  return { counted, server };
}

describe('the calls to AWS of a page and a command', () => {
  let c: CliWorld;
  let proxy: ReturnType<typeof countingProxy>;
  let url: string;
  beforeAll(async () => {
    c = await openCliWorld(THREE_WORKFLOWS);
    c.world.step = () => returns('paid');
    const { stateMachineArn } = c.workflow;
    const started = async (orderId: string, name?: string, amount = ORDER.amount) => {
      const input = JSON.stringify({ detail: { ...ORDER, orderId, amount } });
      await c.aws.sfn.send(new StartExecutionCommand({ stateMachineArn, input, name }));
    };
    await started('order-7', 'order-7');
    await c.world.settle();
    await started('order-7', 'order-7-0123456789abcdef', 99);
    for (let index = 0; index < OTHERS; index += 1) await started(`other-${index}`);
    await c.world.settle();
    proxy = countingProxy(c.world.stack.endpoint ?? '');
    await new Promise<void>(done => proxy.server.listen(0, '127.0.0.1', done));
    url = `http://127.0.0.1:${(proxy.server.address() as AddressInfo).port}`;
  }, 120_000);
  afterAll(async () => {
    proxy?.server.close();
    await c?.close();
  });

  const command = (line: string) => async () => {
    const asked = readArguments([...line.split(' '), '--endpoint', url], {});
    if (asked.kind !== 'task') throw new Error('no task');
    const answer = await asked.task.run({ terminal: NOBODY, env: {}, ended: new AbortController().signal });
    if (typeof answer !== 'number' && answer.code !== 0) throw new Error(answer.text(NOBODY.style));
  };
  /** Reads the view of an address so many times, as an open page does. */
  const page = (address: string, times: number) => async () => {
    const aws = clientsFor({ endpoint: url, region: undefined }, {}, new AbortController().signal);
    const place = connectionTo(aws, { where: url, isLocal: true, mayWrite: true, stack: undefined });
    for (let time = 0; time < times; time += 1)
      await routeFor(address)?.read(place, () => undefined, undefined);
    aws.close();
  };
  /** Two messages in the dead-letter queue, for those that receive them. */
  const deadLetters = () => {
    const { queues } = c.world.stack;
    for (const orderId of ['lost-1', 'lost-2'])
      queues.send('invoices-dead', JSON.stringify({ detail: { ...ORDER, orderId } }));
    return () => {
      for (const { receiptHandle } of queues.receive('invoices-dead', { max: 10 }) ?? [])
        queues.delete('invoices-dead', receiptHandle);
    };
  };
  const callsOf = async (what: string, times = 1) => {
    const emptied = what.includes('invoices-dead') ? deadLetters() : undefined;
    proxy.counted.clear();
    await (what.startsWith('/') ? page(what, times) : command(what))();
    emptied?.();
    return [...proxy.counted].sort().map(([operation, count]) => `${operation} ${count}`);
  };

  test.each(Object.entries(CALLS))('%s', async (what, calls) => {
    expect((await callsOf(what)).join(', ')).toBe(calls);
  });

  test('an ended execution of a key is read once, however often its page reads', async () => {
    expect(await callsOf('/keys/order-7', 5)).toContain('GetExecutionHistory 2');
  });
});
