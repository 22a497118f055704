import { type ApiWorld, openApi } from './test-endpoint';

let world: ApiWorld;

beforeAll(async () => {
  world = await openApi();
});
afterAll(() => world.close());

describe('a service that is not here', () => {
  const signedFor = (service: string) =>
    `AWS4-HMAC-SHA256 Credential=x/20260101/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=x`;
  const sentence = (service: string) =>
    `There is no ${service} at this endpoint; it answers for DynamoDB, SQS, Lambda, EventBridge, Step Functions`;

  async function answered(service: string, path: string, init: RequestInit) {
    const headers = { ...init.headers, authorization: signedFor(service) };
    const response = await fetch(world.api.endpoint + path, { ...init, headers });
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      text: await response.text(),
    };
  }

  test('of the query protocol, as sts: named, in the XML of that protocol', async () => {
    const { status, type, text } = await answered('sts', '/', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
      body: 'Action=GetCallerIdentity&Version=2011-06-15',
    });

    expect({ status, type }).toEqual({ status: 400, type: 'text/xml' });
    expect(text).toContain(
      `<ErrorResponse><Error><Type>Sender</Type><Code>UnsupportedOperationException</Code>`,
    );
    expect(text).toContain(`<Message>${sentence('sts')}</Message>`);
  });

  test('s3: named, in its XML', async () => {
    const { status, text } = await answered('s3', '/bucket/key?list-type=2', { method: 'GET' });

    expect(status).toBe(400);
    expect(text).toContain(`<Error><Code>UnsupportedOperationException</Code><Message>${sentence('s3')}`);
  });

  test('of JSON, as kms: named', async () => {
    const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'TrentService.Encrypt' };
    const { status, text } = await answered('kms', '/', { method: 'POST', headers, body: '{}' });

    expect(status).toBe(400);
    expect(JSON.parse(text)).toEqual({
      __type: 'com.amazon.coral.service#UnsupportedOperationException',
      message: sentence('kms'),
    });
  });
});
