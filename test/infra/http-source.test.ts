import { CfnParameter, Duration, Stack } from 'aws-cdk-lib';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { AuthorizationType, RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import {
  type HttpSourceOptions,
  IdempotentWorkflow,
  type IdempotentWorkflowProps,
  Key,
  Results,
  Source,
} from '../../infra/index';
import { FRONT_DOOR_STATE } from '../../state-machine/contract/state-names';
import { evaluate206 } from '../support/evaluate';
import { allowed, definitionIn, someFunction, statementsOf, synthesized } from '../support/synthesize';

const KEY = '{% $states.input.idempotencyKey %}';

function started(
  options: HttpSourceOptions = {},
  props: Partial<IdempotentWorkflowProps> = {},
  resource: (stack: Stack) => Parameters<typeof Source.http>[0] = () => '/shop/payments',
): Template {
  return synthesized(stack => {
    const step = someFunction(stack);
    new IdempotentWorkflow(stack, 'Pay', { idempotencyKey: KEY, step, ...props }).startFrom(
      Source.http(resource(stack), options),
    );
  });
}

/** The templates of a method's requests, its tokens left out. */
function requestTemplateOf(template: Template, method: string): string {
  const [found] = Object.values(template.findResources('AWS::ApiGateway::Method')).filter(
    ({ Properties }) => Properties['HttpMethod'] === method,
  );
  return JSON.stringify(found?.['Properties'].Integration.RequestTemplates);
}

describe('Source.http', () => {
  let template: Template;
  beforeAll(() => {
    template = started();
  });

  test('a preflight with a content type: not passed on to its MOCK, which would answer 500', () => {
    const methods = started({ cors: { allowOrigins: ['*'] } }).findResources('AWS::ApiGateway::Method');
    const preflights = Object.values(methods).filter(
      ({ Properties }) => Properties['HttpMethod'] === 'OPTIONS',
    );

    expect(preflights).toHaveLength(2);
    for (const { Properties } of preflights) {
      expect(Properties['Integration']).toMatchObject({ Type: 'MOCK', PassthroughBehavior: 'NEVER' });
    }
  });

  test.each([
    [['https://shop.example'], "'https://shop.example'"],
    [['https://shop.example', 'https://pay.example'], 'method.request.header.Origin'],
  ])(
    'answers of API Gateway itself are problem documents, and pages of %j may read them',
    (origins, origin) => {
      const made = started({ cors: { allowOrigins: origins } });
      const documents = Object.values(made.findResources('AWS::ApiGateway::GatewayResponse')).map(one => {
        const {
          ResponseType: type,
          ResponseParameters: headers,
          ResponseTemplates: templates,
        } = one['Properties'];
        expect(headers).toMatchObject({
          'gatewayresponse.header.Content-Type': "'application/problem+json'",
          'gatewayresponse.header.Access-Control-Allow-Origin': origin,
          'gatewayresponse.header.Access-Control-Expose-Headers': expect.stringContaining('Retry-After'),
          'gatewayresponse.header.Vary': "'Origin'",
        });
        const document = JSON.parse(templates['application/json']);
        expect(document.reason).toBe('$context.error.responseType');
        return [type, document.type.split('#')[1], headers['gatewayresponse.header.Retry-After']];
      });

      expect(documents).toEqual([
        ['DEFAULT_4XX', 'rejected', undefined],
        ['THROTTLED', 'not-started', "'5'"],
        ['DEFAULT_5XX', 'not-started', "'5'"],
      ]);
    },
  );

  test('without `cors` no page may read the answers of API Gateway; an API of the app keeps its own', () => {
    const headers = JSON.stringify(template.findResources('AWS::ApiGateway::GatewayResponse'));
    expect(headers).toContain('#rejected');
    expect(headers).not.toContain('Access-Control');
    const given = started({}, {}, stack => new RestApi(stack, 'Shop').root.addResource('payments'));
    given.resourceCountIs('AWS::ApiGateway::GatewayResponse', 0);
  });

  test('a path: a Regional API with the method, and a GET for answers that take long', () => {
    template.hasResourceProperties('AWS::ApiGateway::RestApi', {
      EndpointConfiguration: { Types: ['REGIONAL'] },
    });
    const paths = Object.values(template.findResources('AWS::ApiGateway::Resource'));
    expect(paths.map(({ Properties }) => Properties['PathPart'])).toEqual([
      'shop',
      'payments',
      'requests',
      '{request}',
    ]);
    const methods = Object.values(template.findResources('AWS::ApiGateway::Method'));
    expect(methods.map(({ Properties }) => Properties['HttpMethod'])).toEqual(['GET', 'POST']);
  });

  test.each([
    [-101, true],
    [-100, false],
    [1, false],
  ])(
    'an execution that began %i ms after the start was called: of another request, %s',
    async (after, was) => {
      const callsAt = 1_800_000_000_000;
      const at = callsAt + after;
      const { States } = definitionIn(template, /FrontDoor/);
      const { started = '' } = (States[FRONT_DOOR_STATE.startRequest]?.['Assign'] ?? {}) as {
        started?: string;
      };
      const called = States[FRONT_DOOR_STATE.sayWhere]?.['Assign'] as { callsAt: string };
      const states = { result: { ExecutionArn: 'its', StartDate: at } };

      expect(await evaluate206(called.callsAt, {}, callsAt)).toEqual({ value: callsAt });
      expect(await evaluate206(started, { states, callsAt })).toEqual({
        value: was ? { at } : { at, arn: 'its' },
      });
    },
  );

  test('the integration: StartSyncExecution, no body passes by, and any other answer is 503', () => {
    template.hasResourceProperties('AWS::ApiGateway::Method', {
      HttpMethod: 'POST',
      Integration: {
        Type: 'AWS',
        IntegrationHttpMethod: 'POST',
        PassthroughBehavior: 'NEVER',
        TimeoutInMillis: 29_000,
        Uri: { 'Fn::Join': ['', Match.arrayWith([':states:action/StartSyncExecution'])] },
        IntegrationResponses: [
          { StatusCode: '200', SelectionPattern: '2\\d{2}' },
          {
            StatusCode: '503',
            SelectionPattern: Match.absent(),
            ResponseParameters: {
              'method.response.header.Content-Type': "'application/problem+json'",
              'method.response.header.Retry-After': "'5'",
            },
          },
        ],
      },
      MethodResponses: [{ StatusCode: '200' }, { StatusCode: '503' }],
    });
  });

  test('the roles: the API may call the front door; that may start, read records and its executions, and log', () => {
    expect(allowed(template, /Caller/)).toEqual([
      expect.stringMatching(/^states:StartSyncExecution .*FrontDoorStateMachine/),
    ]);
    expect(
      allowed(template, /FrontDoorStateMachine/)
        .map(one => one.split(' ')[0])
        .filter(one => !one?.startsWith('logs:')),
    ).toEqual(['states:StartExecution', 'dynamodb:GetItem', 'states:DescribeExecution']);
  });

  test.each<[string, HttpSourceOptions, string]>([
    ['none', {}, '$who=\\"\\"'],
    ['Cognito', { methodOptions: { authorizationType: AuthorizationType.COGNITO } }, 'authorizer.claims.sub'],
    [
      'a function',
      { methodOptions: { authorizationType: AuthorizationType.CUSTOM } },
      'authorizer.principalId',
    ],
    ['IAM', { methodOptions: { authorizationType: AuthorizationType.IAM } }, 'identity.userArn'],
    ['API keys', { methodOptions: { apiKeyRequired: true } }, 'identity.apiKeyId'],
    ['its own', { principal: '$context.authorizer.tenantId' }, 'authorizer.tenantId'],
  ])('the authorizer is %s: who the caller is', (_, options, expected) => {
    const made = started(options);
    for (const method of ['POST', 'GET']) expect(requestTemplateOf(made, method)).toContain(expected);
  });

  test.each<[AuthorizationType, string]>([
    [AuthorizationType.COGNITO, 'authorizer.claims.sub'],
    [AuthorizationType.CUSTOM, 'authorizer.principalId'],
    [AuthorizationType.IAM, 'identity.userArn'],
  ])('the authorizer %s says who the caller is, also beside API keys', (authorizationType, expected) => {
    const made = started({ methodOptions: { authorizationType, apiKeyRequired: true } });
    expect(requestTemplateOf(made, 'POST')).toContain(expected);
  });

  test('what is answered to a question: no cache keeps it, as it knows no callers', () => {
    const noStore = {
      ResponseParameters: Match.objectLike({ 'method.response.header.Cache-Control': "'no-store'" }),
    };
    template.hasResourceProperties('AWS::ApiGateway::Method', {
      HttpMethod: 'GET',
      Integration: { IntegrationResponses: [Match.objectLike(noStore), Match.objectLike(noStore)] },
      MethodResponses: ['200', '503'].map(StatusCode =>
        Match.objectLike({
          StatusCode,
          ResponseParameters: { 'method.response.header.Cache-Control': false },
        }),
      ),
    });
  });

  test('the requirements on a request: the question after its answer has none but a known caller', () => {
    const requestParameters = { 'method.request.header.Idempotency-Key': true };
    const made = started({
      methodOptions: {
        authorizationType: AuthorizationType.IAM,
        operationName: 'Pay',
        requestParameters,
        requestValidatorOptions: { validateRequestParameters: true },
      },
    });
    made.hasResourceProperties('AWS::ApiGateway::Method', {
      HttpMethod: 'POST',
      RequestParameters: requestParameters,
    });
    made.hasResourceProperties('AWS::ApiGateway::Method', {
      HttpMethod: 'GET',
      AuthorizationType: 'AWS_IAM',
      OperationName: Match.absent(),
      RequestParameters: Match.absent(),
      RequestValidatorId: Match.absent(),
    });
  });

  test('results in a bucket: the front door may read those of its scope, and put none', () => {
    const made = synthesized(stack => {
      const results = Results.inBucket(new Bucket(stack, 'Results'), { prefix: 'results/' });
      const step = someFunction(stack);
      new IdempotentWorkflow(stack, 'Pay', { idempotencyKey: KEY, step, results }).startFrom(
        Source.http('a'),
      );
    });
    const ofS3 = statementsOf(made, /^PaySourceHttpFrontDoor/).filter(({ Action }) =>
      String(Action).startsWith('s3:'),
    );
    expect(ofS3.map(({ Action }) => Action)).toEqual(['s3:GetObject']);
    expect(JSON.stringify(ofS3[0]?.Resource)).toContain('"/results/Pay/*"');
  });

  test('an authorizer of the whole API: it says who the caller is', () => {
    const made = started({}, {}, stack => {
      const defaultMethodOptions = { authorizationType: AuthorizationType.IAM };
      return new RestApi(stack, 'Shop', { defaultMethodOptions }).root.addResource('payments');
    });
    expect(requestTemplateOf(made, 'POST')).toContain('$context.identity.userArn');
  });
});

describe('Source.http', () => {
  const given = (options: object) => options as HttpSourceOptions;

  test.each<[string, () => unknown, string]>([
    [
      "a key that is not the source's",
      () => started({}, { idempotencyKey: '{% $states.input.body.id %}' }),
      "Test/Pay: with `Source.http`, the workflow's `idempotencyKey` must be " +
        "'{% $states.input.idempotencyKey %}', because the source adds the caller to the key; got {% $states.input.body.id %}",
    ],
    [
      'a list with the key of the source',
      () => started({}, { idempotencyKey: ['{% $states.input.idempotencyKey %}'] }),
      'got a list of {% $states.input.idempotencyKey %}. Use it',
    ],
    [
      'a payload as the key',
      () => started({}, { idempotencyKey: Key.ofPayload('{% $states.input.body %}') }),
      'got Key.ofPayload of {% $states.input.body %}. Use it',
    ],
    [
      'two methods of one resource',
      () =>
        started({}, {}, stack => {
          const resource = new RestApi(stack, 'Shop').root.addResource('payments');
          const step = someFunction(new Stack(stack, 'Other'));
          new IdempotentWorkflow(stack, 'Refund', { idempotencyKey: KEY, step }).startFrom(
            Source.http(resource, { method: 'PUT' }),
          );
          return resource;
        }),
      'Test/Pay: /payments already has a method of `Source.http`. Use another resource',
    ],
    ['no resource', () => Source.http(given({}) as never), '`Source.http` takes a resource such as'],
    ['a path with a parameter', () => Source.http('a/{b}'), '`Source.http` takes a resource such as'],
    [
      'an option that there is not',
      () => Source.http('a', given({ heaader: 'X' })),
      'Source.http has no option `heaader`. Did you mean `header`?',
    ],
    ['a method', () => Source.http('a', given({ method: 'GET' })), '`method` must be '],
    [
      'two places for the key',
      () => Source.http('a', { header: 'X', idempotencyKey: KEY }),
      '`header` and `idempotencyKey` both select',
    ],
    [
      'a long wait',
      () => started({ waitUpTo: Duration.minutes(2) }),
      'Test/Pay: `waitUpTo` must be a Duration of whole seconds, at most 25, got 120 seconds, ',
    ],
    [
      'a path that API Gateway does not take',
      () => Source.http('shop/pay ments'),
      "`Source.http` must have segments of letters, digits and . _ - : $ such as 'shop/payments', got ",
    ],
    [
      'a mapping of what is not the result',
      () => started({ response: { body: '{% $states.result.a %}' } }),
      'Test/Pay: `response.body` sees the result only, as $result; it uses $states: {% $states.result.a %}',
    ],
    ['a wait of milliseconds', () => started({ waitUpTo: Duration.millis(1500) }), '`waitUpTo` must be'],
    ['a status', () => Source.http('a', { errors: { Declined: 200 } }), '`errors.Declined` must be a status'],
    ['a principal', () => started({ principal: '$input.body' }), 'Test/Pay: `principal` must be a reference'],
    [
      'a status of results',
      () => started({ response: { status: 99 } }),
      'Test/Pay: `response.status` must be',
    ],
    [
      'a mapping that differs',
      () => started({ response: { body: '{% $now() %}' } }),
      'Test/Pay: `response.body` must have the same value',
    ],
    ['a header of results', () => started({ response: { headers: { 'a b': 'c' } } }), '`response.headers`'],
    [
      'a header of results that no template can name',
      () => started({ response: { headers: { 'X.A': 'c' } } }),
      "`response.headers` must have names of letters, digits, '-' and '_' such as 'ETag', got",
    ],
  ])('%s: rejected', (_, define, message) => {
    expect(define).toThrow(message);
  });

  test.each<[string, unknown, string]>([
    ['id', null, 'Test/Pay: the `id` of a source must be a text such as'],
    ['header', null, '`header` must be the name of a header such as'],
    ['header', 5, '`header` must be the name of a header such as'],
    ['header', "it's", '`header` must be the name of a header such as'],
    ['errors', null, '`errors` must be an object such as { CardDeclined: 402 }, got null'],
    ['errors', ['CardDeclined'], '`errors` must be an object such as { CardDeclined: 402 }, got ["Card'],
    [
      'cors',
      {},
      "`cors.allowOrigins` must be a list of origins such as ['https://shop.example'], without a path, or",
    ],
    ['cors', { allowOrigins: 'https://shop.example' }, '`cors.allowOrigins` must be a list of origins'],
    ['cors', { allowOrigins: ['https://shop.example/'] }, '`cors.allowOrigins` must be a list of origins'],
    ['cors', { allowOrigins: ["*'\n"] }, '`cors.allowOrigins` must be a list of origins'],
    [
      'cors',
      { allowOrigins: ['*'], exposeHeaders: null },
      '`cors.exposeHeaders` must be a list of names of headers',
    ],
    [
      'cors',
      { allowOrigins: ['*'], allowHeaders: ['a b'] },
      '`cors.allowHeaders` must be a list of names of headers',
    ],
    ['response', { headers: null }, 'Test/Pay: `response.headers` must be an object such as { ETag: '],
    [
      'response',
      { headers: { A: 5 } },
      '`response.headers.A` must be an expression in {% %}, or a text of printable',
    ],
    ['response', { headers: { A: '' } }, '`response.headers.A` must be an expression in {% %}, or a text'],
    ['response', { headers: { A: ' {% $result.a %}' } }, '`response.headers.A` must be an expression'],
    ['response', { headers: { A: 'x\ny' } }, '`response.headers.A` must be an expression'],
    ['response', { headers: { A: 'é' } }, '`response.headers.A` must be an expression in {% %}, or a text'],
    [
      'response',
      { headers: { ETag: 'a', etag: 'b' } },
      '`response.headers` has etag twice, in upper and lower case',
    ],
  ])('`%s` as %j: rejected', (option, value, message) => {
    expect(() => started(given({ [option]: value }))).toThrow(message);
  });

  test('origins, headers and a text that CDK resolves at deployment: accepted', () => {
    const parameter = (stack: Stack) => new CfnParameter(stack, 'Origin').valueAsString;
    expect(() =>
      synthesized(stack => {
        new IdempotentWorkflow(stack, 'Pay', { idempotencyKey: KEY, step: someFunction(stack) }).startFrom(
          Source.http('a', {
            header: '_key',
            cors: {
              allowOrigins: [parameter(stack), 'http://127.0.0.1:8080', 'file://'],
              maxAge: Duration.hours(1),
            },
            response: { headers: { ETag: "it's", Link: '<https://shop.example>; rel="next"' } },
          }),
        );
      }),
    ).not.toThrow();
  });

  test('its API before it starts anything: rejected', () => {
    expect(() => Source.http('a').api).toThrow('`api` is the API that `startFrom` creates');
  });
});
