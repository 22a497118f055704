import type { WrapBlockingRequest } from '../../api/exchange';
import type { LocalService } from '../../services/local-service';
import { ServiceRegistry } from '../../services/service-registry';

/** A service that has nothing but what is given. */
function service(name: string, more: Partial<LocalService> = {}): LocalService {
  return {
    integrations: new Map([[`${name}:call`, { call: () => Promise.reject(new Error('not called')) }]]),
    route: {
      service: { title: name, signingName: name },
      requests: { target: name },
      bodyBytesMax: 1,
      handle: () => Promise.reject(new Error('not called')),
    },
    sdkName: name.toUpperCase(),
    close: () => undefined,
    ...more,
  };
}

function registryOf(...services: readonly LocalService[]): ServiceRegistry {
  const registry = new ServiceRegistry();
  for (const each of services) registry.add(each);
  return registry;
}

describe('the services of a stack', () => {
  test('by an ARN: the service that it names, or none', () => {
    const sqs = service('sqs');
    const registry = registryOf(service('lambda'), sqs);

    expect(registry.ownerOf('arn:aws:sqs:us-east-1:111111111111:q')).toBe(sqs);
    expect(registry.ownerOf('arn:aws:sns:us-east-1:111111111111:t')).toBeUndefined();
    expect(registry.ownerOf('q')).toBeUndefined();
  });

  test('integrations: those of every service that is open, also of one that opens later', () => {
    const registry = registryOf(service('sqs'));
    const { integrations } = registry;
    registry.add(service('states'));

    expect([...integrations.keys()]).toEqual(['sqs:call', 'states:call']);
  });

  test('endpoints for SDKs: of the service where it has one, else of the stack, else none', () => {
    const registry = registryOf(service('dynamodb', { endpoint: 'http://127.0.0.1:1' }), service('sqs'));
    expect(registry.endpointVariables()).toEqual({ AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1' });

    registry.endpoint = 'http://127.0.0.1:2';
    expect(registry.endpointVariables()).toEqual({
      AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1',
      AWS_ENDPOINT_URL_SQS: 'http://127.0.0.1:2',
    });
  });

  test('URLs in a text: changed by each service that has some', () => {
    const local = (from: string, to: string) => ({ withLocalUrls: (text: string) => text.replace(from, to) });
    const registry = registryOf(
      service('sqs', local('a', 'b')),
      service('sns'),
      service('s3', local('b', 'c')),
    );

    expect(registry.withLocalUrls('a')).toBe('c');
  });

  test('a caller that waits: every service that wants to know stands around the answer', async () => {
    const heard: string[] = [];
    const around = (name: string): { readonly wrapBlockingRequest: WrapBlockingRequest } => ({
      async wrapBlockingRequest(traceHeader, answer) {
        heard.push(`${name} ${traceHeader}`);
        return answer();
      },
    });
    const registry = registryOf(service('a', around('a')), service('b'), service('c', around('c')));

    expect(await registry.wrapBlockingRequest('Root=1', async () => 'answer')).toBe('answer');
    expect(heard.toSorted()).toEqual(['a Root=1', 'c Root=1']);
  });
});
