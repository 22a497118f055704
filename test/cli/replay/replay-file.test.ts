import path from 'node:path';
import { replayFile } from '../../../cli/replay/replay-file';

const FILE = path.join(__dirname, 'replay-file.test.ts');
const terminal = { readInput: () => Promise.resolve('{}') };

test('a fault of the program at one file is reported of that file', async () => {
  const replayed = await replayFile(
    FILE,
    () => {
      throw new RangeError('Maximum call stack size exceeded');
    },
    terminal,
  );

  expect(replayed).toEqual({
    file: FILE,
    report: {
      kind: 'notReplayed',
      subject: 'history',
      reason: 'internal error: Maximum call stack size exceeded',
    },
    isFault: true,
  });
});
