import { parseOptions } from '../../../proof/changes/options';

test('changes that are skipped: some must be left', () => {
  expect(parseOptions(['--count', '5', '--from', '5'])).toMatchObject({ kind: 'options' });
  expect(parseOptions(['--count', '5', '--from', '6'])).toEqual({
    kind: 'usage',
    message: '--from 6 leaves none of 5 changes: give a larger --count',
  });
});
