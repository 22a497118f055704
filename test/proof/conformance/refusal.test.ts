import { StatesError } from '@onceflow/local';
import { lackingIn, refusalOf } from '../../../proof/conformance/refusal';

describe('what a refusal lacks', () => {
  const refused = (...problems: string[]) => `Invalid State Machine Definition: '${problems.join(', ')}'`;

  test.each<[string, string, string | undefined]>([
    [
      'something without a name of its own',
      refused('NOT_SUPPORTED_LOCALLY: X is not at /States/A'),
      'X is not',
    ],
    [
      'a named one among others',
      refused('NOT_SUPPORTED_LOCALLY: X at /A', "NOT_SUPPORTED_LOCALLY: Field 'ItemReader' is not at /B"),
      'Distributed Map',
    ],
    [
      'nothing: a reason of the service',
      refused('MISSING_END_STATE: Workflow has no terminal state at null'),
      undefined,
    ],
  ])('%s', (_title, message, lacking) => {
    expect(lackingIn(message)).toBe(lacking);
  });

  test('an error of the service is a refusal, any other a fault', () => {
    expect(refusalOf(new StatesError('InvalidName', 'm'))).toMatchObject({
      name: 'InvalidName',
      message: 'm',
    });
    expect(refusalOf(new TypeError('x is not a function'))).toBeUndefined();
    expect(refusalOf('text')).toBeUndefined();
  });
});
