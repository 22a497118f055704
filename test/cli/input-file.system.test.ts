import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onceflow } from './run-program';
import { BILL, serveWorkflow, type WorkflowEndpoint } from './workflow-endpoint';

const directory = mkdtempSync(path.join(tmpdir(), 'onceflow-input-'));
const latin1 = path.join(directory, 'latin-1.json');
const twice = path.join(directory, 'twice.json');
const definition = path.join(directory, 'a.asl.json');
let served: WorkflowEndpoint;
let workflow: string[];
beforeAll(async () => {
  writeFileSync(latin1, Buffer.from('{"name":"caf\xe9"}', 'latin1'));
  writeFileSync(definition, '{"StartAt":"A","States":{"A":{"Type":"Succeed"}}}');
  writeFileSync(twice, '{"id":"order-7","payment":{"amount":1,"amount":2}}');
  served = await serveWorkflow('{% $states.input.id %}');
  workflow = ['--state-machine', BILL, '--endpoint', served.url];
});
afterAll(() => {
  served.close();
  rmSync(directory, { recursive: true });
});

describe('a command', () => {
  test.each<[string, (file: string) => string[]]>([
    ['start', file => ['start', 'order-7', '--input', file, ...workflow]],
    ['complete', file => ['complete', 'order-7', '--result', file, '--reason', 'seen', ...workflow]],
    ['replay, of a history', file => ['replay', file, '--definition', definition]],
    ['replay, of a definition', file => ['replay', '-', '--definition', file]],
    ['validate', file => ['validate', '--compare', file]],
    ['template', file => ['template', file]],
    ['dev', file => ['dev', '--template', file]],
  ])(
    '%s rejects a file that is not UTF-8, and a directory',
    async (_, argsWith) => {
      const said = await Promise.all([latin1, directory].map(file => onceflow(argsWith(file))));

      expect(said.map(({ code }) => code)).toEqual([2, 2]);
      const [one, other] = said.map(({ stdout, stderr }) => stdout + stderr);
      expect(one).toContain(`${latin1} is not UTF-8; save it as UTF-8`);
      expect(other).toContain(`${directory} is a directory, and must be a file`);
    },
    60_000,
  );

  test.each<[string, (file: string) => string[]]>([
    ['start', file => ['start', 'order-7', '--input', file, ...workflow]],
    ['complete', file => ['complete', 'order-7', '--result', file, '--reason', 'seen', ...workflow]],
    ['template', file => ['template', file]],
    ['dev', file => ['dev', '--template', file]],
  ])('%s rejects JSON with a member that is there twice', async (_, argsWith) => {
    const { code, stderr } = await onceflow(argsWith(twice));

    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('has the member payment.amount twice'),
    });
  });

  test('start rejects stdin that is not UTF-8', async () => {
    const { code, stderr } = await onceflow(
      ['start', 'order-7', '--input', '-', ...workflow],
      {},
      Buffer.from('{"id":"caf\xe9"}', 'latin1'),
    );

    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^onceflow: stdin is not UTF-8/),
    });
  });
});
