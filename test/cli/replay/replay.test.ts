import path from 'node:path';
import { rowOf } from '../../../cli/commands/replay';

const FILE = path.join(__dirname, 'replay.test.ts');
const terminal = { readInput: () => Promise.resolve('{}') };

test('a fault of the program at one file is told of that file', async () => {
  const row = await rowOf(
    FILE,
    () => {
      throw new RangeError('Maximum call stack size exceeded');
    },
    terminal,
  );

  expect(row).toEqual({
    file: FILE,
    report: {
      kind: 'rejected',
      subject: 'history',
      reason: 'internal error: Maximum call stack size exceeded',
    },
    isFault: true,
  });
});
