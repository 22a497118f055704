import type { Json, JsonObject } from '../../../json/json';
import { lambdaIntegrations } from '../../../services/lambda/integrations';
import { closeAll, runCode } from './fixture';

afterEach(closeAll);

const REQUEST_ID = 'c01c4ab7-0000-4000-8000-000000000001';

function invoke(code: string, given: Json) {
  const { functions, lines } = runCode(code);
  const service = lambdaIntegrations(functions, {
    newRequestId: () => REQUEST_ID,
    now: () => Date.UTC(2026, 3, 15, 0, 5, 28),
  }).get('lambda:invoke');
  if (!service) throw new Error('no lambda:invoke');
  const result = service.call(
    { resource: 'lambda:invoke', arguments: given, executionArn: 'e', stateName: 's', retryCount: 0 },
    new AbortController().signal,
  );
  return { result, lines };
}

describe('lambda:invoke', () => {
  test('answer: the whole response of the SDK', async () => {
    const { result } = invoke('exports.handler = async event => event', {
      FunctionName: 'fn',
      Payload: { a: 'é' },
    });

    const plain = {
      Connection: 'keep-alive',
      'Content-Length': '10',
      'Content-Type': 'application/json',
      Date: 'Wed, 15 Apr 2026 00:05:28 GMT',
      'X-Amz-Executed-Version': '$LATEST',
      'x-amzn-Remapped-Content-Length': '0',
      'x-amzn-RequestId': REQUEST_ID,
      'X-Amzn-Trace-Id': expect.stringMatching(
        /^Root=1-69ded648-[0-9a-f]{24};Parent=[0-9a-f]{16};Sampled=0;Lineage=/,
      ),
    };
    expect(await result).toEqual({
      kind: 'succeeded',
      output: {
        ExecutedVersion: '$LATEST',
        Payload: { a: 'é' },
        SdkHttpMetadata: {
          AllHttpHeaders: Object.fromEntries(Object.entries(plain).map(([name, value]) => [name, [value]])),
          HttpHeaders: plain,
          HttpStatusCode: 200,
        },
        SdkResponseMetadata: { RequestId: REQUEST_ID },
        StatusCode: 200,
      },
    });
  });

  test('request id of the result: the one the handler sees', async () => {
    const { result } = invoke('exports.handler = async (e, c) => c.awsRequestId', { FunctionName: 'fn' });

    expect(await result).toMatchObject({ output: { Payload: REQUEST_ID } });
  });

  test.each<[title: string, given: Json, payload: Json]>([
    ['no payload: an empty object', { FunctionName: 'fn' }, {}],
    ['null as payload: an empty object', { FunctionName: 'fn', Payload: null }, {}],
    ['qualifier $LATEST: the function', { FunctionName: 'fn', Qualifier: '$LATEST', Payload: 1 }, 1],
    ['a text as payload: the JSON that it holds', { FunctionName: 'fn', Payload: '{"a":1}' }, { a: 1 }],
    ['a text of a text: a text', { FunctionName: 'fn', Payload: '"HelloWorld"' }, 'HelloWorld'],
    ['an empty text: an empty object', { FunctionName: 'fn', Payload: '' }, {}],
    ['members that do not exist: dropped', { FunctionName: 'fn', Payload: 1, Nonsense: true }, 1],
  ])('%s', async (_title, given, payload) => {
    const { result } = invoke('exports.handler = async event => event', given);

    expect(await result).toMatchObject({ kind: 'succeeded', output: { Payload: payload } });
  });

  test('LogType Tail: the end of the log, as it is and in a header', async () => {
    const code = 'exports.handler = async () => console.log("written")';
    const { result } = invoke(code, { FunctionName: 'fn', LogType: 'Tail' });
    const answer = await result;

    const { LogResult } = (answer as unknown as { readonly output: JsonObject }).output;
    const log = Buffer.from(String(LogResult), 'base64').toString();
    expect(log).toMatch(/^START .*written.*REPORT /s);
    expect(answer).toMatchObject({
      output: { SdkHttpMetadata: { AllHttpHeaders: { 'X-Amz-Log-Result': [LogResult] } } },
    });
  });

  test('function error: error type and payload text', async () => {
    const { result } = invoke('exports.handler = async () => { throw new TypeError("no") }', {
      FunctionName: 'fn',
    });

    const failure = await result;
    expect(failure).toMatchObject({ kind: 'failed', error: 'TypeError' });
    expect(failure).toMatchObject({
      cause: expect.stringMatching(/^\{"errorType":"TypeError","errorMessage":"no","trace":\[/),
    });
  });

  test('function error without a type: Lambda.Unknown with the payload', async () => {
    const code = `exports.handler = async () => {
      throw Object.assign(new Error('x'), { name: undefined, stack: 's' });
    }`;
    const { result } = invoke(code, { FunctionName: 'fn' });

    expect(await result).toEqual({
      kind: 'failed',
      error: 'Lambda.Unknown',
      cause:
        'The cause could not be determined because Lambda did not return an error type. ' +
        'Returned payload: {"errorMessage":"x","trace":["s"]}',
    });
  });

  const NAME = 'arn:aws:lambda:eu-west-1:111111111111:function';
  const PROXY = `Request ID: ${REQUEST_ID}; Proxy: null)`;

  test.each<[title: string, given: Json, error: string, cause: string]>([
    [
      'unknown function',
      { FunctionName: 'other' },
      'Lambda.ResourceNotFoundException',
      `Function not found: ${NAME}:other:$LATEST (Service: AWSLambda; Status Code: 404; ` +
        `Error Code: ResourceNotFoundException; ${PROXY}`,
    ],
    [
      'a text that is not JSON',
      { FunctionName: 'fn', Payload: 'value' },
      'Lambda.InvalidRequestContentException',
      "Could not parse request body into json: Unrecognized token 'value': was expecting (JSON String, Number, " +
        "Array, Object or token 'null', 'true' or 'false')\n at [Source: (byte[])\"value\"; line: 1, column: 6] " +
        `(Service: AWSLambda; Status Code: 400; Error Code: InvalidRequestContentException; ${PROXY}`,
    ],
    [
      'unknown function, not waited for',
      { FunctionName: 'other', InvocationType: 'Event' },
      'Lambda.ResourceNotFoundException',
      `Function not found: ${NAME}:other:$LATEST (Service: AWSLambda; Status Code: 404; ` +
        `Error Code: ResourceNotFoundException; ${PROXY}`,
    ],
    [
      'version that does not exist',
      { FunctionName: 'fn', Qualifier: '3' },
      'Lambda.ResourceNotFoundException',
      `Function not found: ${NAME}:fn:3 (Service: AWSLambda; Status Code: 404; ` +
        `Error Code: ResourceNotFoundException; ${PROXY}`,
    ],
    [
      'invocation type that does not exist',
      { FunctionName: 'fn', InvocationType: 'Later' },
      'Lambda.AWSLambdaException',
      "1 validation error detected: Value 'Later' at 'invocationType' failed to satisfy constraint: " +
        'Member must satisfy enum value set: [Event, RequestResponse, DryRun] ' +
        '(Service: AWSLambda; Status Code: 400; ' +
        `Error Code: ValidationException; ${PROXY}`,
    ],
  ])('%s: failed with the text of AWS', async (_title, given, error, cause) => {
    expect(await invoke('exports.handler = async () => 1', given).result).toEqual({
      kind: 'failed',
      error,
      cause,
    });
  });

  test('Event: accepted before the function has answered, and the function runs', async () => {
    const code = `exports.handler = async () => { console.log('ran'); throw new Error('nobody hears') }`;
    const { result, lines } = invoke(code, { FunctionName: 'fn', InvocationType: 'Event' });

    expect(await result).toMatchObject({ kind: 'succeeded', output: { StatusCode: 202, Payload: '' } });
    expect(lines).toEqual([]);
    while (lines.length < 2) await new Promise(setImmediate);
    expect(lines[0]?.text).toBe('ran');
  });

  test('DryRun: accepted, and the function does not run', async () => {
    const { result, lines } = invoke('console.log("loaded")', {
      FunctionName: 'fn',
      InvocationType: 'DryRun',
    });

    expect(await result).toMatchObject({ kind: 'succeeded', output: { StatusCode: 204 } });
    expect(lines).toEqual([]);
  });
});
