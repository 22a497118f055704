import * as fc from 'fast-check';
import { createLineSplitter } from '../../../services/lambda/log-lines';

function linesOf(pieces: readonly string[]): string[] {
  const lines: string[] = [];
  const splitter = createLineSplitter(line => lines.push(line));
  for (const piece of pieces) splitter.write(piece);
  splitter.flush();
  return lines;
}

describe('createLineSplitter', () => {
  test.each([
    ['line breaks', ['a\nb\n'], ['a', 'b']],
    ['carriage returns before them', ['a\r\nb\r', '\n'], ['a', 'b']],
    ['empty lines', ['\n\na\n'], ['', '', 'a']],
    ['a line that is not ended', ['a\nb'], ['a', 'b']],
    ['nothing', [''], []],
  ])('%s', (_title, pieces, lines) => {
    expect(linesOf(pieces)).toEqual(lines);
  });

  test('any cut of a text into pieces: the same lines', () => {
    const piece = fc.string({ unit: fc.constantFrom('a', '\n', '\r', 'é') });

    const sameLines = fc.property(fc.array(piece), pieces => {
      expect(linesOf(pieces)).toEqual(linesOf([pieces.join('')]));
    });
    void fc.assert(sameLines);
  });

  test('a line that does not end: cut at 256 Ki characters', () => {
    expect(linesOf(['x'.repeat(262_145)]).map(line => line.length)).toEqual([262_144, 1]);
  });
});
