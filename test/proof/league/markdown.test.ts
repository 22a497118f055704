import { takesFigures, withFigures } from '../../../proof/league/markdown';
import { smallReport } from './reports';

const DOCUMENT = (inside: string) => `# A title

<!-- league: standings -->
${inside}
<!-- league: end -->

Words between.

<!-- league: kinds -->
<!-- league: end -->
`;

describe('a Markdown document with places for figures', () => {
  test('what stands there: is written anew, all else stays', () => {
    const written = withFigures(DOCUMENT('| old |'), smallReport());

    expect(written).toContain(
      '2 kinds of fault, 50 schedules of each, 200 deliveries.\n\n| contender | effects doubled |',
    );
    expect(written).toContain('| `none` | 2000 | 100 | · | · | · | · | 50 | 0.00 |');
    expect(written).toContain(
      '| duplicates after minutes, hours, days | 1 of 3 | `none` 4000, `lock-lease` 100 |',
    );
    expect(written).toContain('| nothing goes wrong | 3 of 3 | · |');
    expect(written).toMatch(/^# A title\n[\s\S]*\nWords between\.\n/);
    expect(written).not.toContain('old');
  });

  test('written twice: the same', () => {
    const once = withFigures(DOCUMENT(''), smallReport());

    expect(withFigures(once, smallReport())).toBe(once);
  });

  test('a place with a name that there is not: an error with those that there are', () => {
    const document = '<!-- league: scores -->\n<!-- league: end -->\n';

    expect(() => withFigures(document, smallReport())).toThrow(
      'no block scores; there are: standings, kinds',
    );
  });

  test('without places: is found out before', () => {
    expect([
      takesFigures(DOCUMENT('')),
      takesFigures('<!-- league: end -->\n'),
      takesFigures('# A title\n'),
    ]).toEqual([true, false, false]);
  });
});
