import { MockIntegration, RestApi } from 'aws-cdk-lib/aws-apigateway';
import { type Started, start } from './world';

/** An API whose method needs a key, and answers with the key's id. */
function api(): Promise<Started> {
  return start(stack => {
    const made = new RestApi(stack, 'Api');
    const requestTemplates = { 'application/json': '{"statusCode": 200}' };
    const text = '$context.identity.apiKeyId $context.identity.apiKey';
    const integrationResponses = [{ statusCode: '200', responseTemplates: { 'application/json': text } }];
    const integration = new MockIntegration({ requestTemplates, integrationResponses });
    made.root.addMethod('GET', integration, {
      apiKeyRequired: true,
      methodResponses: [{ statusCode: '200' }],
    });
  });
}

async function asked({ stack }: Started, headers: Record<string, string>) {
  const answer = await fetch(stack.restApis[0]?.url ?? '', { headers });
  return [answer.status, await answer.text()];
}

test('a method that needs an API key: 403 without one, as on AWS', async () => {
  expect(await asked(await api(), {})).toEqual([403, '{"message":"Forbidden"}']);
});

test('the key tells callers apart: each has an id of its own, the same each time', async () => {
  const world = await api();
  const [first, again, other] = await Promise.all(
    ['key-a', 'key-a', 'key-b'].map(key => asked(world, { 'x-api-key': key })),
  );

  expect(first).toEqual([200, expect.stringMatching(/^[a-z0-9]{10} key-a$/)]);
  expect(again).toEqual(first);
  expect(other).not.toEqual(first);
});
