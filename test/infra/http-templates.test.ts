import { IAM_CALLER, requestTemplate } from '../../infra/sources/http-templates';
import { evaluateMapping } from '../../packages/local/vtl/mapping';
import { parseTemplate } from '../../packages/local/vtl/parse';

const ARN = 'arn:aws:states:us-east-1:111111111111:stateMachine:FrontDoor';

interface Request {
  readonly body?: string;
  readonly header?: Readonly<Record<string, string>>;
  readonly path?: Readonly<Record<string, string>>;
  readonly querystring?: Readonly<Record<string, string>>;
  readonly principalId?: string;
  /** Whom IAM knows, in place of an authorizer. */
  readonly identity?: Readonly<Record<string, string>>;
}

/** The input that the front door gets of a request. */
function inputOf(request: Request) {
  const { body = '', header = {}, path = {}, querystring = {}, principalId = 'alice', identity } = request;
  const parsed = parseTemplate(
    requestTemplate({
      stateMachineArn: ARN,
      principal: identity ? IAM_CALLER : '$context.authorizer.principalId',
      asked: undefined,
    }),
  );
  if (parsed.kind === 'problem') throw new Error(parsed.message);
  const result = evaluateMapping({
    template: parsed.template,
    body,
    parameters: { header, path, querystring },
    context: { path: '/prod/payments', authorizer: { principalId }, identity: identity ?? {} },
    stageVariables: {},
  });
  if (result.kind !== 'mapped') throw new Error(result.problem);
  const call = JSON.parse(result.text);
  expect(Object.keys(call)).toEqual(['stateMachineArn', 'input']);
  expect(call.stateMachineArn).toBe(ARN);
  return { length: call.input.length, input: JSON.parse(call.input) };
}

const HOSTILE = [
  '"}],"principal":"root","x":[{"',
  '\\"}],\\"principal\\":\\"root',
  '\\',
  '\\\\"',
  "it's \\' / \\/ </script>",
  '@@principal@@:@@root@@',
  '$principal ${q} $!{q} $input.body $util.escapeJavaScript("x")',
  '#set($principal="root") #if(true)x#end ## #* *# #[[x]]#',
  '\u0000\u0001\b\t\n\f\r\u007f\u0085\u2028\u2029\ufeff',
  'é 中 😀 \ud800 \udc00',
  '__proto__',
  '{"__proto__":{"principal":"root"}}',
];

describe('the template of a request', () => {
  test.each(HOSTILE)('with %j anywhere: it is the text that was sent, and nothing else', text => {
    const one = [{ name: text, value: text }];
    const named = Object.fromEntries([[text, text]]);

    expect(
      inputOf({ body: text, header: named, path: named, querystring: named, principalId: text }).input,
    ).toEqual({ headers: one, path: one, query: one, principal: text, url: '/prod/payments', body: text });
  });

  test('no body and no authorizer: the body is {}, as API Gateway has it, and the principal empty', () => {
    expect(inputOf({ principalId: '' }).input).toMatchObject({ headers: [], principal: '', body: '{}' });
  });

  test('users of one identity pool, who have one ARN: each is distinguished; a role is its ARN', () => {
    const userArn = 'arn:aws:sts::111111111111:assumed-role/Users/CognitoIdentityCredentials';
    const cognitoIdentityId = 'us-east-1:00000000-0000-4000-8000-000000000001';

    expect(inputOf({ identity: { userArn, cognitoIdentityId } }).input.principal).toBe(cognitoIdentityId);
    for (const none of ['', '$context.identity.cognitoIdentityId']) {
      expect(inputOf({ identity: { userArn, cognitoIdentityId: none } }).input.principal).toBe(userArn);
    }
    expect(inputOf({ identity: { userArn } }).input.principal).toBe(userArn);
  });

  test.each([
    ['of as many characters as an input has bytes, with what is around it', 'x'.repeat(262_144)],
    ['that is so long when it is escaped', 'é'.repeat(50_000)],
    ['of 10 MB', 'x'.repeat(10 * 1024 * 1024)],
  ])('a body %s: it is too long, and left out', (_, body) => {
    expect(inputOf({ body })).toEqual({ length: 36, input: { principal: 'alice', tooLong: true } });
  });

  test('the longest body that fits: it is handed over', () => {
    const around = inputOf({ body: 'x' }).length - 1;
    const body = 'x'.repeat(262_144 - around);

    expect(inputOf({ body })).toMatchObject({ length: 262_144, input: { body } });
    expect(inputOf({ body: `${body}x` }).input).toEqual({ principal: 'alice', tooLong: true });
  });
});
