import type { Stack } from 'aws-cdk-lib';
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
});
