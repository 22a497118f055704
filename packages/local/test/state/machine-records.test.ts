import { Revisions } from '../../state/machine-records';
import { machine, revisions } from './world';

describe('revisions of machines', () => {
  test('equal records, whatever the order of their members: one revision', () => {
    const { definition: _, ...record } = machine();
    const reversed = Object.fromEntries(Object.entries(record).reverse()) as typeof record;
    const made = revisions();

    expect(made.of(reversed)).toBe(made.of(record));
    expect(made.of({ ...record, definitionText: '{}' })).not.toBe(made.of(record));
  });

  test('one text: read once for each type that runs it', () => {
    const { definition: _, ...record } = machine();
    const read: string[] = [];
    const made = new Revisions(({ type }) => {
      read.push(type);
      return undefined;
    });

    made.of({ ...record, name: 'a', type: 'STANDARD' });
    made.of({ ...record, name: 'b', type: 'STANDARD' });
    made.of({ ...record, name: 'c', type: 'EXPRESS' });

    expect(read).toEqual(['STANDARD', 'EXPRESS']);
  });
});
