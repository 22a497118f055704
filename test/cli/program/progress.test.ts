import { progressOn } from '../../../cli/program/progress';

/** A stream that keeps what is written to it. */
function output(isTTY: boolean) {
  const chunks: string[] = [];
  return {
    chunks,
    isTTY,
    columns: 40,
    write: (chunk: string | Uint8Array) => chunks.push(String(chunk)) > 0,
  };
}

const WIPE = '\r\u001b[2K';

describe('progress', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  test('on a terminal: drawn at once, then not more often than one can see, the end always', () => {
    const stream = output(true);
    const progress = progressOn(stream, { isSilent: false });

    progress.begin('reading');
    progress.show('orders', 1, 3);
    jest.advanceTimersByTime(60);
    progress.show('orders', 2, 3);
    progress.show('orders', 3, 3);
    progress.clear();

    expect(stream.chunks).toEqual([
      `${WIPE}reading`,
      // A line is cut to the width of the terminal, because a broken one could not be wiped.
      `${WIPE}orders ${'█'.repeat(20)}${'░'.repeat(10)} 2`,
      `${WIPE}orders ${'█'.repeat(30)} 3`,
      WIPE,
    ]);
  });

  test('elsewhere: a line every ten seconds, whether or not the program calls', () => {
    const stream = output(false);
    const progress = progressOn(stream, { isSilent: false });

    progress.show('cases', 1, 9);
    jest.advanceTimersByTime(9_000);
    progress.show('cases', 2, 9);
    jest.advanceTimersByTime(2_000);
    progress.show('cases', 3, 9);
    jest.advanceTimersByTime(20_000);
    progress.clear();
    jest.advanceTimersByTime(60_000);

    expect(stream.chunks).toEqual([
      'cases: 2 of 9 (10 s)\n',
      'cases: 3 of 9 (20 s)\n',
      'cases: 3 of 9 (30 s)\n',
    ]);
  });

  test('elsewhere, work that lets no timer run: a line with the call that comes', () => {
    const stream = output(false);
    const progress = progressOn(stream, { isSilent: false });

    jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 12_000);
    progress.begin('100 states');
    jest.restoreAllMocks();

    expect(stream.chunks).toEqual(['100 states (12 s)\n']);
  });

  test.each([true, false])('silent, on a terminal: %s: nothing', isTTY => {
    const stream = output(isTTY);
    const progress = progressOn(stream, { isSilent: true });

    progress.begin('reading');
    progress.show('orders', 1, 1);
    progress.clear();
    jest.advanceTimersByTime(60_000);

    expect(stream.chunks).toEqual([]);
  });
});
