import { StatesError } from '@onceflow/local';
import { lackingIn, rejectionOf } from '../../../proof/conformance/rejection';

describe('what a rejection lacks', () => {
  const rejected = (...problems: string[]) => `Invalid State Machine Definition: '${problems.join(', ')}'`;

  test.each<[string, string, string | undefined]>([
    [
      'something without a name of its own',
      rejected('NOT_SUPPORTED_LOCALLY: X is not at /States/A'),
      'X is not',
    ],
    [
      'a named one among others',
      rejected('NOT_SUPPORTED_LOCALLY: X at /A', "NOT_SUPPORTED_LOCALLY: Field 'ItemReader' is not at /B"),
      'Distributed Map',
    ],
    [
      'nothing: a reason of the service',
      rejected('MISSING_END_STATE: Workflow has no terminal state at null'),
      undefined,
    ],
  ])('%s', (_title, message, lacking) => {
    expect(lackingIn(message)).toBe(lacking);
  });

  test('an error of the service is a rejection, any other a fault', () => {
    expect(rejectionOf(new StatesError('InvalidName', 'm'))).toMatchObject({
      name: 'InvalidName',
      message: 'm',
    });
    expect(rejectionOf(new TypeError('x is not a function'))).toBeUndefined();
    expect(rejectionOf('text')).toBeUndefined();
  });
});
