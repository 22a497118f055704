import { CfnParameter, Fn, type Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { type CorsOptions, type IResource, MockIntegration, RestApi } from 'aws-cdk-lib/aws-apigateway';
import { IdempotentWorkflow, Source } from '../../infra/index';
import { newStack, someFunction } from '../support/synthesize';

const PAGES: CorsOptions = { allowOrigins: ['https://shop.example'] };

/** A workflow that requests of a page start. */
function started(cors: CorsOptions, place: (stack: Stack) => IResource | string = () => 'payments'): Stack {
  const stack = newStack();
  const idempotencyKey = '{% $states.input.idempotencyKey %}';
  const workflow = new IdempotentWorkflow(stack, 'Pay', { idempotencyKey, step: someFunction(stack) });
  workflow.startFrom(Source.http(place(stack), { cors }));
  return stack;
}

describe('`cors` of Source.http', () => {
  test.each<[string, (stack: Stack) => IResource]>([
    [
      'the API has defaultCorsPreflightOptions',
      stack =>
        new RestApi(stack, 'Shop', { defaultCorsPreflightOptions: PAGES }).root.addResource('payments'),
    ],
    [
      'the resource has addCorsPreflight',
      stack => {
        const resource = new RestApi(stack, 'Shop').root.addResource('payments');
        resource.addCorsPreflight(PAGES);
        return resource;
      },
    ],
    [
      'the resource has a method OPTIONS',
      stack => {
        const resource = new RestApi(stack, 'Shop').root.addResource('payments');
        resource.addMethod('OPTIONS', new MockIntegration());
        return resource;
      },
    ],
  ])('%s: rejected with the remedy', (_, place) => {
    expect(() => started(PAGES, place)).toThrow(
      'Test/Pay: `cors` adds the method OPTIONS, but /payments already has one, as by `defaultCorsPreflightOptions` or ' +
        '`addCorsPreflight`. Leave these out for the resource, because only `cors` adds its headers to the answers, too',
    );
  });

  test('allowMethods, which the source sets itself: rejected', () => {
    expect(() => started({ ...PAGES, allowMethods: ['GET'] })).toThrow(
      '`cors.allowMethods` cannot be set, because `Source.http` allows the method that it adds to a resource. Leave it out',
    );
  });

  test.each<[string, (stack: Stack) => CorsOptions]>([
    [
      'allowOrigins',
      stack => ({
        allowOrigins: new CfnParameter(stack, 'Origins', { type: 'CommaDelimitedList' }).valueAsList,
      }),
    ],
    ['allowHeaders', () => ({ ...PAGES, allowHeaders: Fn.split(',', Fn.importValue('headers')) })],
    ['exposeHeaders', () => ({ ...PAGES, exposeHeaders: Fn.split(',', Fn.importValue('headers')) })],
  ])('%s, a list that only the deployment knows: rejected', (name, cors) => {
    expect(() => started(cors(newStack()))).toThrow(
      `\`cors.${name}\` must be a list that is known at synthesis, got a token. Its elements may be tokens`,
    );
  });

  test('elements that only the deployment knows: in the template', () => {
    const text = Fn.importValue('text');
    const cors = {
      allowOrigins: [text, 'https://shop.example'],
      allowHeaders: [text],
      exposeHeaders: [text],
    };

    expect(JSON.stringify(Template.fromStack(started(cors)).toJSON())).toContain('"Fn::ImportValue":"text"');
  });
});
