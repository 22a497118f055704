import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { withSynthesizedApp } from '../../../cli/app/synthesize';
import { buildChildren, type Children } from '../../../proof/bench/child';

describe('measuring programs', () => {
  let children: Children;

  beforeAll(async () => {
    children = await buildChildren(['pass-through', 'peer', 'charge-payment', 'memory-growth']);
  });
  afterAll(() => children.close());

  test('three tasks: every execution with its whole history', async () => {
    expect(await children.run('pass-through', [20])).toEqual({
      executions: 20,
      seconds: expect.any(Number),
      // Started, five for each state, succeeded.
      events: 20 * 17,
    });
  });

  /** A folder with a package of this name, which has this text. */
  async function withPackage(name: string, text: string): Promise<string> {
    const folder = await mkdtemp(path.join(tmpdir(), 'bench-peer-'));
    const within = path.join(folder, 'node_modules', name);
    await mkdir(within, { recursive: true });
    await writeFile(path.join(within, 'index.js'), text);
    return folder;
  }

  const interpreter = (output: string) => `
    exports.StateMachine = class {
      constructor({ States }) { this.names = Object.keys(States); }
      run(input, { overrides: { taskResourceLocalHandlers: handlers } }) {
        const { names } = this;
        const result = names.reduce((last, name) => last.then(handlers[name]), Promise.resolve(input));
        async function* eventLogs() { for (const name of names) yield { name }; }
        return { result: result.then(output => ${output}), eventLogs: eventLogs() };
      }
    };`;

  test('another interpreter: the same three tasks, with every event log', async () => {
    const folder = await withPackage('aws-local-stepfunctions', interpreter('output'));

    expect(await children.run('peer', [20, folder])).toEqual({
      executions: 20,
      seconds: expect.any(Number),
      events: 20 * 3,
    });
  });

  test('another interpreter with another output: no figure', async () => {
    const folder = await withPackage('aws-local-stepfunctions', interpreter('({ ...output, more: 1 })'));

    await expect(children.run('peer', [20, folder])).rejects.toThrow('peer.js ended with 1');
  });

  test('the reference app: its workflow runs, with fresh orders and with duplicates', async () => {
    const measured = { executions: 20, seconds: expect.any(Number), events: expect.any(Number) };
    const both = await withSynthesizedApp(async assembly => [
      await children.run('charge-payment', [20, assembly, 'fresh']),
      await children.run('charge-payment', [20, assembly, 'duplicate']),
    ]);

    expect(both).toEqual([measured, measured]);
  });

  test('executions that are kept: each thousand with its heap', async () => {
    expect(await children.run('memory-growth', [2000])).toEqual({
      thousands: Array.from({ length: 2 }, () => ({
        seconds: expect.any(Number),
        heapBytes: expect.any(Number),
      })),
    });
  });

  test('one without its arguments: rejects with what it said', async () => {
    await expect(children.run('charge-payment', [])).rejects.toThrow('charge-payment.js ended with 1');
  });
});
