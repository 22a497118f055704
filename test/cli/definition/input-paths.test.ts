import { inputPathOf, inputPathsIn, inputPathText } from '../../../cli/definition/input-paths';

describe('an expression that is a path of the input', () => {
  test.each([
    ['$states.input.detail.orderId', ['detail', 'orderId']],
    [' $states.input . detail.`order id` ', ['detail', 'order id']],
    ['$states.context.Execution.Input.id', ['id']],
    ['$states.input', undefined],
    ['$states.input.id & "x"', undefined],
    ['$lowercase($states.input.id)', undefined],
    ['$states.input.items[0].id', undefined],
    ['$states.context.Execution.Name', undefined],
  ])('%s: %j', (jsonata, path) => {
    expect(inputPathOf(jsonata)).toEqual(path);
  });

  test('written again: as an expression has it', () => {
    expect(inputPathText(['detail', 'order id'])).toBe('$states.input.detail.`order id`');
  });
});

describe('the paths that an expression reads', () => {
  test.each([
    ['$uppercase($states.input.id)', [['id']]],
    [
      "$states.input.detail.{'amount': amount, 'to': shop.`the name`}",
      [
        ['detail', 'amount'],
        ['detail', 'shop', 'the name'],
      ],
    ],
    ['$states.input.a and $states.input.b', [['a'], ['b']]],
    ['$states.input.items[0].id', []],
    ['$states.input', []],
    ['"none"', []],
  ])('%s: %j', (jsonata, paths) => {
    expect(inputPathsIn(jsonata)).toEqual(paths);
  });
});
