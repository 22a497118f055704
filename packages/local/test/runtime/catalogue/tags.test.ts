import {
  createActivity,
  deleteActivity,
  requireActivity,
} from '../../../runtime/catalogue/activity-operations';
import { listTagsForResource, tagResource, untagResource } from '../../../runtime/catalogue/tags';
import { ARN, emptyCatalogue, NOW, outcome, withMachine } from './catalogue';

const ACTIVITY = 'arn:aws:states:us-east-1:111111111111:activity:a';

describe('tags', () => {
  test('of a machine: the last value of a key counts, unknown keys are removed without a word', () => {
    const catalogue = withMachine();

    tagResource(catalogue, ARN, [
      { key: 'a', value: '1' },
      { key: 'b', value: '' },
      { key: 'a', value: '2' },
    ]);
    untagResource(catalogue, ARN, ['b', 'c']);

    expect(listTagsForResource(catalogue, ARN)).toEqual([{ key: 'a', value: '2' }]);
  });

  test('of an activity: the same', () => {
    const catalogue = emptyCatalogue();
    createActivity(catalogue, { name: 'a', tags: [{ key: 'k', value: 'v' }] });

    tagResource(catalogue, ACTIVITY, [{ key: 'l', value: 'w' }]);

    expect(listTagsForResource(catalogue, ACTIVITY)).toHaveLength(2);
  });

  test('reading them: changes nothing that needs a write', () => {
    const catalogue = withMachine();
    const before = catalogue.changes();

    listTagsForResource(catalogue, ARN);

    expect(catalogue.changes()).toBe(before);
  });

  test('of a missing resource: rejected', () => {
    const catalogue = emptyCatalogue();

    expect(outcome(() => listTagsForResource(catalogue, ARN))).toBe(
      `ResourceNotFound: Resource not found: '${ARN}'`,
    );
    expect(outcome(() => listTagsForResource(catalogue, 'x'))).toBe(
      "InvalidArn: Invalid Arn: 'Invalid ARN prefix: x'",
    );
  });
});

describe('activities', () => {
  test('the same name twice: one activity; deleted: gone, and again without a word', () => {
    const catalogue = emptyCatalogue();

    const created = createActivity(catalogue, { name: 'a' });
    catalogue.clock.advanceTo(NOW + 1);

    expect(createActivity(catalogue, { name: 'a' })).toEqual(created);
    expect(requireActivity(catalogue, ACTIVITY)).toMatchObject({ name: 'a', creationDate: NOW });
    deleteActivity(catalogue, ACTIVITY);
    deleteActivity(catalogue, ACTIVITY);
    expect(outcome(() => requireActivity(catalogue, ACTIVITY))).toBe(
      `ActivityDoesNotExist: Activity Does Not Exist: '${ACTIVITY}'`,
    );
  });

  test.each(['a b', 'a:b', 'a\u0000', 'a*'])('%j: no name', name => {
    expect(outcome(() => createActivity(emptyCatalogue(), { name }))).toBe(
      `InvalidName: Invalid Name: '${name}'`,
    );
  });
});
