import type { Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { AuthorizationType, RestApi } from 'aws-cdk-lib/aws-apigateway';
import {
  type HttpSourceOptions,
  type IdempotencyKey,
  IdempotentWorkflow,
  type IdempotentWorkflowProps,
  Key,
  Source,
} from '../../infra/index';
import { CHANGING_HEADERS, HEADERS_OF_MANY } from '../../infra/sources/envelope/headers';
import { newStack, someFunction } from '../support/synthesize';

const KEY = '{% $states.input.idempotencyKey %}';
const BODY = '{% $states.input.body %}';

function workflowIn(stack: Stack, props: Partial<IdempotentWorkflowProps> = {}): IdempotentWorkflow {
  return new IdempotentWorkflow(stack, 'Pay', {
    idempotencyKey: KEY,
    payload: BODY,
    step: someFunction(stack),
    ...props,
  });
}

function started(
  options: HttpSourceOptions,
  props: Partial<IdempotentWorkflowProps> = {},
  path = 'payments',
): Stack {
  const stack = newStack();
  const resource = new RestApi(stack, 'Api').root.resourceForPath(path);
  workflowIn(stack, props).startFrom(Source.http(resource, { ...IAM, ...options }));
  return stack;
}

const IAM = { methodOptions: { authorizationType: AuthorizationType.IAM } };
const OPEN = { methodOptions: { authorizationType: AuthorizationType.NONE } };

const warnings = (stack: Stack, about: string) =>
  Annotations.fromStack(stack).findWarning('*', Match.stringLikeRegexp(about));

describe('the key of `Source.http`', () => {
  test.each<[string, IdempotencyKey, string]>([
    [
      'a header in upper case',
      '{% $states.input.headers."X-Idempotency-Key" %}',
      'Write {% $states.input.headers."x-idempotency-key" %}',
    ],
    ['a member of the body', '{% $states.input.orderId %}', 'Write {% $states.input.body.orderId %}'],
    ['detail', '{% $states.input.detail.orderId %}', 'Write {% $states.input.body.orderId %}'],
    [
      'the parameters of the query',
      '{% $states.input.queryStringParameters.id %}',
      'Write {% $states.input.query.id %}',
    ],
    [
      'who has called, as a function gets it',
      ['{% $states.input.requestContext.authorizer.sub %}', '{% $states.input.body.id %}'],
      'Write {% $states.input.principal %}',
    ],
    [
      'a parameter that the path does not have',
      '{% $states.input.path.paymentId %}',
      'Use a resource with {paymentId} in its path, or write {% $states.input.body.paymentId %}',
    ],
    ['its own key', KEY, 'which no request has'],
    [
      'all headers',
      Key.ofPayload('{% $states.input.headers %}'),
      '`Key.ofPayload` reads all headers of a request',
    ],
    [
      'the whole request',
      Key.ofPayload('{% $states.input %}'),
      '`Key.ofPayload` reads all headers of a request',
    ],
    ['a part that is no expression', ['id', '{% $states.input.body.id %}'], '`idempotencyKey[0]` must be'],
    ['no part', [], '`idempotencyKey` needs at least one part'],
  ])('%s: rejected with what was meant', (_, idempotencyKey, message) => {
    expect(() => started({ idempotencyKey })).toThrow(message);
  });

  test.each<[string, IdempotencyKey]>([
    ['a header', '{% $states.input.headers."x-idempotency-key" %}'],
    ['several values', ['{% $states.input.body.a %}', '{% $states.input.query.b %}']],
    ['the hash of the body', Key.ofPayload(BODY)],
    ['the hash of body and query', Key.ofPayload("{% $states.input.{'body': body, 'query': query} %}")],
  ])('%s: accepted', (_, idempotencyKey) => {
    expect(() => started({ idempotencyKey })).not.toThrow();
  });
});

describe('a key that no two tries, or many requests, have', () => {
  test.each([...CHANGING_HEADERS])('the header %s, which differs between two tries: rejected', name => {
    const header = `{% $states.input.headers."${name}" %}`;
    const message = /differs? between two tries/;

    expect(() => started({ idempotencyKey: header })).toThrow(message);
    expect(() => started({ idempotencyKey: [header, '{% $states.input.body.id %}'] })).toThrow(message);
    expect(() => started({ idempotencyKey: Key.unchecked(header, { reason: 'so' }) })).toThrow(message);
    expect(() => started({ header: name.toUpperCase() })).toThrow(message);
    const asked = [
      `{% $exists($states.input.headers."${name}") ? 'a' : 'b' %}`,
      '{% $states.input.body.id %}',
    ];
    expect(() => started({ idempotencyKey: asked })).toThrow(message);
    const payload = `{% $states.input.body.items[id = $states.input.headers."${name}"] %}`;
    expect(() => started({ idempotencyKey: Key.ofPayload(payload) })).toThrow(message);
  });

  test.each([...HEADERS_OF_MANY])(
    'the header %s, which many requests have alike: rejected as the key',
    name => {
      expect(() => started({ header: name.toUpperCase() })).toThrow(/is the same in many requests/);
      const text = `{% $states.input.headers."${name}" %}`;
      expect(() => started({ idempotencyKey: text })).toThrow(/only what is the same in many events/);
    },
  );

  test.each(['identity.sourceIp', 'authorizer.claims.iss', 'authorizer.claims.jti', 'authorizer.requestId'])(
    'the principal %s, which is not a caller: rejected',
    name => {
      expect(() => started({ principal: `$context.${name}` })).toThrow(/must say who the caller is/);
    },
  );

  test.each(['principal', 'headers.host', 'headers."user-agent"'])('%s alone: rejected', name => {
    const text = `{% $states.input.${name} %}`;

    expect(() => started({ idempotencyKey: text })).toThrow(/only what is the same in many events/);
    expect(() => started({ idempotencyKey: [text, '{% $states.input.body.id %}'] })).not.toThrow();
    expect(() => started({ idempotencyKey: Key.unchecked(text, { reason: 'one a caller' }) })).not.toThrow();
  });

  test('a constant part that is longer than a key of a request: rejected at synthesis', () => {
    const key = (length: number) => [`{% '${'x'.repeat(length)}' %}`, '{% $states.input.body.id %}'];

    expect(() => started({ idempotencyKey: key(255) })).not.toThrow();
    expect(() => started({ idempotencyKey: key(256) })).toThrow(/a constant of 256 characters, at most 255/);
    const branch = `{% $exists($states.input.body.v) ? $states.input.body.v : '${'x'.repeat(256)}' %}`;
    expect(() => started({ idempotencyKey: [branch, '{% $states.input.body.id %}'] })).toThrow(/at most 255/);
  });
});

describe('callers who share a key', () => {
  const both = { idempotencyKey: ['{% $states.input.body.a %}', '{% $states.input.body.b %}'] };
  const input = "{% {'body': $states.input.body} %}";
  const withCaller = "{% {'caller': $states.input.principal, 'body': $states.input.body} %}";
  const withKey = "{% {'key': $states.input.idempotencyKey, 'body': $states.input.body} %}";

  test.each<[string, HttpSourceOptions, Partial<IdempotentWorkflowProps>]>([
    ['a composite key of the workflow', { input }, both],
    ['a hash of the body', { input }, { idempotencyKey: Key.ofPayload(BODY) }],
    ['a caller that only the input has', { input: withCaller }, both],
    [
      'a merged input',
      { input: "{% $merge([$states.input, {'a': 1}]) %}" },
      { idempotencyKey: '{% $states.input.body.a %}' },
    ],
  ])('%s: a warning', (_, options, props) => {
    expect(warnings(started(options, props), 'callers share their keys')).toHaveLength(1);
  });

  test.each<[string, HttpSourceOptions, Partial<IdempotentWorkflowProps>]>([
    ['the key of the source', {}, {}],
    ['a composite key of the source', { idempotencyKey: ['{% $states.input.body.a %}'] }, {}],
    [
      'the caller as a part, as the warning says',
      { input: withCaller },
      { idempotencyKey: ['{% $states.input.caller %}', '{% $states.input.body.a %}'] },
    ],
    ['the key of the source, handed on', { input: withKey }, { idempotencyKey: '{% $states.input.key %}' }],
    [
      'the caller deep in the input',
      { input: "{% {'detail': {'who': $states.input.principal, 'body': $states.input.body}} %}" },
      {
        idempotencyKey: ['{% $states.input.detail.who %}', '{% $states.input.detail.body.a %}'],
        payload: '{% $states.input.detail.body %}',
      },
    ],
    [
      'a hash with the caller',
      { input: withCaller },
      { idempotencyKey: Key.ofPayload("{% $states.input.{'c': caller, 'b': body} %}") },
    ],
    ['a public method, where all are one', { input, ...OPEN }, both],
  ])('%s: no warning', (_, options, props) => {
    expect(warnings(started(options, props), 'callers share their keys')).toEqual([]);
  });
});

describe('a path parameter', () => {
  const PATH = 'orders/{orderId}/refund';
  const about = 'reads the path parameter';

  test.each<[string, HttpSourceOptions, Partial<IdempotentWorkflowProps>]>([
    ['that the payload does not read', {}, {}],
    ['without a payload', {}, { payload: undefined } as never],
    [
      'that `input` leaves out',
      { input: "{% {'key': $states.input.idempotencyKey, 'body': $states.input.body} %}" },
      { idempotencyKey: '{% $states.input.key %}' },
    ],
  ])('%s: a warning that shows the two requests', (_, options, props) => {
    const [warning] = warnings(started(options, props, PATH), about);

    expect(warning?.entry.data).toContain('used for /orders/7/refund and then for /orders/8/refund');
  });

  test.each<[string, HttpSourceOptions, Partial<IdempotentWorkflowProps>]>([
    [
      'in the payload with the path, as the warning says',
      {},
      { payload: "{% $states.input.{'path': path, 'body': body} %}" },
    ],
    [
      'in the payload by its name',
      {},
      { payload: "{% {'o': $states.input.path.orderId, 'b': $states.input.body} %}" },
    ],
    [
      'in the key of the source',
      { idempotencyKey: ['{% $states.input.path.orderId %}', '{% $states.input.body.id %}'] },
      {},
    ],
    ['as the whole input', {}, { payload: '{% $states.input %}' }],
  ])('%s: no warning', (_, options, props) => {
    expect(warnings(started(options, props, PATH), about)).toEqual([]);
  });

  test('two of them, of which one is compared: a warning about the other', () => {
    const payload = "{% {'o': $states.input.path.orderId, 'b': $states.input.body} %}";

    expect(
      warnings(started({}, { payload }, 'orders/{orderId}/items/{item}'), 'parameter item'),
    ).toHaveLength(1);
  });

  test('a proxy: its path', () => {
    const twoPaths = 'parameter proxy: a key that was used for /orders/7 and then for /orders/8';

    expect(warnings(started({}, {}, 'orders/{proxy+}'), twoPaths)).toHaveLength(1);
  });

  test('a path without parameters: no warning', () => {
    expect(warnings(started({}), about)).toEqual([]);
  });
});

describe('a second resource of a workflow', () => {
  const about = 'neither key nor payload tells POST';
  const two = (
    first: HttpSourceOptions,
    second: HttpSourceOptions,
    props: Partial<IdempotentWorkflowProps> = {},
  ) => {
    const stack = newStack();
    const { root } = new RestApi(stack, 'Api');
    workflowIn(stack, props)
      .startFrom(Source.http(root.addResource('refund'), { ...IAM, ...first }))
      .startFrom(Source.http(root.addResource('cancel'), { ...IAM, ...second }));
    return stack;
  };

  test('a warning that names both', () => {
    const [warning, ...others] = warnings(two({}, {}), about);

    expect(others).toEqual([]);
    expect(warning?.entry.data).toContain('neither key nor payload tells POST /cancel from POST /refund');
  });

  test('a constant part of the key, as the warning says: no warning', () => {
    const idempotencyKey = ["{% 'refund' %}", '{% $states.input.body.paymentId %}'];

    expect(warnings(two({}, { idempotencyKey }), about)).toEqual([]);
  });

  test('an `input` that tells them apart for the payload: no warning', () => {
    const of = (name: string) => ({
      input: `{% {'idempotencyKey': $states.input.idempotencyKey, 'does': '${name}', 'body': $states.input.body} %}`,
    });
    const payload = "{% $states.input.{'does': does, 'body': body} %}";

    expect(warnings(two(of('refund'), of('cancel'), { payload }), about)).toEqual([]);
    expect(warnings(two(of('refund'), of('refund'), { payload }), about)).toHaveLength(1);
    expect(warnings(two(of('refund'), of('cancel')), about)).toHaveLength(1);
  });

  test('one resource: no warning', () => {
    expect(warnings(started({}), about)).toEqual([]);
  });
});
