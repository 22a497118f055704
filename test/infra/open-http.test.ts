import { CfnParameter } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import {
  AuthorizationType,
  CognitoUserPoolsAuthorizer,
  MockIntegration,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { UserPool } from 'aws-cdk-lib/aws-cognito';
import { type HttpSourceOptions, IdempotentWorkflow, Source } from '../../infra/index';
import { newStack, someFunction } from '../support/synthesize';

type Place = (stack: ReturnType<typeof newStack>) => Parameters<typeof Source.http>[0];

const KEY = '{% $states.input.idempotencyKey %}';

/** The stack of a workflow that requests start. */
function started(options: HttpSourceOptions = {}, place: Place = () => 'payments') {
  const stack = newStack();
  const step = someFunction(stack);
  new IdempotentWorkflow(stack, 'Pay', { idempotencyKey: KEY, step }).startFrom(
    Source.http(place(stack), options),
  );
  return stack;
}

/** A resource of an API of the app's own, with a method of its own. */
const shop =
  (defaultMethodOptions: HttpSourceOptions['methodOptions'] = {}): Place =>
  stack => {
    const api = new RestApi(stack, 'Shop', { defaultMethodOptions });
    api.root.addMethod('GET', new MockIntegration());
    return api.root.addResource('payments');
  };

describe('how many requests a public API takes', () => {
  test.each<[string, HttpSourceOptions, object]>([
    ['nothing is said', {}, { ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100 }],
    [
      'a rate is given',
      { throttle: { rateLimit: 500 } },
      { ThrottlingRateLimit: 500, ThrottlingBurstLimit: 100 },
    ],
    [
      'both are given',
      { throttle: { rateLimit: 5, burstLimit: 9 } },
      { ThrottlingRateLimit: 5, ThrottlingBurstLimit: 9 },
    ],
    [
      'a fraction of a request is given, and no burst',
      { throttle: { rateLimit: 0.5, burstLimit: undefined } as object },
      { ThrottlingRateLimit: 0.5, ThrottlingBurstLimit: 100 },
    ],
  ])('%s: each of its methods is throttled', (_, options, limits) => {
    const settings = Match.objectLike({ HttpMethod: '*', ResourcePath: '/*', ...limits });

    Template.fromStack(started(options)).hasResourceProperties('AWS::ApiGateway::Stage', {
      MethodSettings: [settings],
    });
  });

  test('limits of parameters: in the template', () => {
    const stack = newStack();
    const limit = (id: string) => new CfnParameter(stack, id, { type: 'Number' }).valueAsNumber;
    const throttle = { rateLimit: limit('Rate'), burstLimit: limit('Burst') };
    const workflow = new IdempotentWorkflow(stack, 'Pay', { idempotencyKey: KEY, step: someFunction(stack) });
    workflow.startFrom(Source.http('payments', { throttle }));

    const limits = { ThrottlingRateLimit: { Ref: 'Rate' }, ThrottlingBurstLimit: { Ref: 'Burst' } };
    Template.fromStack(stack).hasResourceProperties('AWS::ApiGateway::Stage', {
      MethodSettings: [Match.objectLike(limits)],
    });
  });

  test("a resource of the app's own API: the stage is left as it is", () => {
    const template = Template.fromStack(started({}, shop()));

    template.hasResourceProperties('AWS::ApiGateway::Stage', { MethodSettings: Match.absent() });
  });

  test.each<[string, HttpSourceOptions, Place, string]>([
    [
      "of an API of the app's own",
      { throttle: { rateLimit: 5 } },
      shop(),
      '`throttle` works only for the API that is created for a path',
    ],
    [
      'of none',
      { throttle: { rateLimit: 0 } },
      () => 'a',
      '`throttle.rateLimit` must be a number greater than 0, got 0',
    ],
    [
      'of half a request at once',
      { throttle: { burstLimit: 0.5 } },
      () => 'a',
      '`throttle.burstLimit` must be a whole number of at least 1, got 0.5',
    ],
    [
      'that is not a limit',
      { throttle: { rate: 5 } as object },
      () => 'a',
      'throttle has no option `rate`. Did you mean `rateLimit`?',
    ],
  ])('a limit %s: rejected', (_, options, place, message) => {
    expect(() => started(options, place)).toThrow(message);
  });
});

describe('a method that any caller may use', () => {
  const authorizer = (stack: Parameters<Place>[0]) =>
    new CognitoUserPoolsAuthorizer(stack, 'Members', {
      cognitoUserPools: [UserPool.fromUserPoolId(stack, 'Pool', 'us-east-1_abc')],
    });
  const warnings = (stack: Parameters<Place>[0]) =>
    Annotations.fromStack(stack).findWarning('*', Match.stringLikeRegexp('everyone can call this method'));

  test.each<[string, HttpSourceOptions, Place]>([
    ['of a path', {}, () => 'payments'],
    ["of the app's own API", {}, shop()],
    ['with a validator only', { methodOptions: { operationName: 'Pay' } }, () => 'payments'],
  ])('%s: a warning at synthesis', (_, options, place) => {
    expect(warnings(started(options, place))).toHaveLength(1);
  });

  test.each<[string, HttpSourceOptions, Place]>([
    ['by IAM', { methodOptions: { authorizationType: AuthorizationType.IAM } }, () => 'payments'],
    ['with an API key', { methodOptions: { apiKeyRequired: true } }, () => 'payments'],
    ['by an authorizer', {}, stack => shop({ authorizer: authorizer(stack) })(stack)],
    ['for the whole API', {}, shop({ authorizationType: AuthorizationType.IAM })],
    ['said to be public', { methodOptions: { authorizationType: AuthorizationType.NONE } }, () => 'payments'],
  ])('%s: no warning', (_, options, place) => {
    expect(warnings(started(options, place))).toEqual([]);
  });

  const { IAM } = AuthorizationType;
  test.each<[HttpSourceOptions['methodOptions'], HttpSourceOptions['methodOptions'], string]>([
    [{ authorizationType: IAM }, { authorizationType: undefined }, 'identity.userArn'],
    [{ apiKeyRequired: true }, { apiKeyRequired: undefined }, 'identity.apiKeyId'],
  ])('no: its API has %j, and it has %j, which is left out', (ofApi, methodOptions, caller) => {
    const stack = started({ methodOptions }, shop(ofApi));

    expect(warnings(stack)).toEqual([]);
    for (const HttpMethod of ['POST', 'GET']) {
      const methods = Template.fromStack(stack).findResources('AWS::ApiGateway::Method', {
        Properties: { HttpMethod, Integration: { Type: 'AWS' } },
      });
      expect(Object.keys(methods)).toHaveLength(1);
      expect(JSON.stringify(methods)).toContain(caller);
    }
  });
});
