import type { Json } from '../../../json/json';
import { readArguments, rejectionOf } from '../../../services/lambda/arguments';

const FunctionName = 'fn';

test.each<[Json, string | undefined]>([
  [{ Payload: 1 }, "The field 'FunctionName' is required but was missing"],
  ['fn', "The field 'FunctionName' is required but was missing"],
  [{ FunctionName: 1 }, "The value for the field 'FunctionName' must be a STRING"],
  [{ FunctionName, Qualifier: 3 }, "The value for the field 'Qualifier' must be a STRING"],
  [{ FunctionName, InvocationType: {} }, "The value for the field 'InvocationType' must be a STRING"],
  [{ FunctionName, Payload: 1 }, "The value for the field 'Payload' must be a STRING"],
  [{ FunctionName, Payload: false }, "The value for the field 'Payload' must be a STRING"],
  [{ FunctionName, Payload: 'text' }, undefined],
  [{ FunctionName, Payload: [1] }, undefined],
  [{ FunctionName, Payload: null }, undefined],
  [{ FunctionName, Qualifier: null }, undefined],
])('%j: whether a call is made', (given, rejection) => {
  expect(rejectionOf(given)).toBe(rejection);
});

test('a qualifier: part of the name', () => {
  expect(readArguments({ FunctionName, Qualifier: '3' })).toMatchObject({
    arguments: { functionName: 'fn:3', payload: {}, invocationType: 'RequestResponse' },
  });
});
