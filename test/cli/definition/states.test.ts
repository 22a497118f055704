import { statesIn } from '../../../cli/definition/states';

describe('the states of a definition', () => {
  test('leave out data of a member that is called States', () => {
    const definition = {
      States: { Say: { Type: 'Pass', Output: { States: { nothing: null, one: 1 } }, End: true } },
    };

    expect(statesIn(definition).map(({ name }) => name)).toEqual(['Say']);
  });
});
