import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Session } from '../../../cli/commands/command';
import { validate } from '../../../cli/commands/validate';

test('a recording that cannot be written: rejected before anything is asked, or even read', async () => {
  const file = path.join(tmpdir(), 'onceflow-nowhere', 'answers.json');
  const task = validate.read(['--record', file, '--assembly', '/nowhere'], {});
  const session = { env: {}, ended: new AbortController().signal } as Session;

  await expect(task?.run(session)).rejects.toMatchObject({
    code: 2,
    message: expect.stringContaining('the recording cannot be written'),
  });
});
