import { createFunctionLookup } from '../../../services/lambda/function-names';
import { functionSpec } from './fixture';

const ARN = 'arn:aws:lambda:eu-west-1:111111111111:function';
const charge = functionSpec({ name: 'charge' });
const odd = functionSpec({ name: 'function' });

describe('createFunctionLookup', () => {
  const lookUp = createFunctionLookup([charge, odd]);

  test.each([
    ['charge', charge],
    ['charge:$LATEST', charge],
    [`${ARN}:charge`, charge],
    [`${ARN}:charge:$LATEST`, charge],
    ['111111111111:function:charge', charge],
    ['111111111111:function:charge:$LATEST', charge],
    ['function', odd],
    [`${ARN}:function`, odd],
  ])('%s: found', (name, spec) => {
    expect(lookUp(name)).toEqual({ kind: 'found', spec });
  });

  test.each([
    ['refund', `${ARN}:refund:$LATEST`],
    ['charge:7', `${ARN}:charge:7`],
    [`${ARN}:charge:live`, `${ARN}:charge:live`],
    [`${ARN}:refund`, `${ARN}:refund:$LATEST`],
    [
      'arn:aws:lambda:us-east-1:222222222222:function:charge',
      'arn:aws:lambda:us-east-1:222222222222:function:charge:$LATEST',
    ],
    ['', `${ARN}::$LATEST`],
  ])('%s: unknown as %s', (name, arn) => {
    expect(lookUp(name)).toEqual({ kind: 'unknown', arn });
  });

  test('no functions: a name is looked for in the default account', () => {
    const arn = 'arn:aws:lambda:us-east-1:111111111111:function:charge:$LATEST';
    expect(createFunctionLookup([])('charge')).toEqual({ kind: 'unknown', arn });
  });

  test('two functions of one ARN: rejected with the ARN', () => {
    expect(() => createFunctionLookup([charge, odd, charge])).toThrow(`twice: ${charge.arn}`);
  });
});
