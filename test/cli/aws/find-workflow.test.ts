import { readFileSync } from 'node:fs';
import path from 'node:path';
import { SFNClient } from '@aws-sdk/client-sfn';
import type { Aws } from '../../../cli/aws/aws';
import { resolveStateMachine } from '../../../cli/aws/find-workflow';
import { workflowOf } from '../../../cli/aws/workflow';
import { withSettings } from '../../support/with-settings';

const golden = (name: string) => readFileSync(path.join(__dirname, `../../golden/${name}.asl.json`), 'utf8');
const scoped = (scope: string) => withSettings(golden('minimal'), { scope });

/** State machines of an account, by the end of their ARN, each with its definition. */
const MACHINES: Readonly<Record<string, string>> = {
  'Billing-InvoiceMailStateMachine1A2B3C4D': scoped('InvoiceMail'),
  'Billing-ProvisionTenantStateMachine5E6F7A8B': scoped('tenants'),
  'Billing-ProvisionTenantDispatcher0000AAAA': golden('dispatcher'),
  'RefundStateMachine9C0D1E2F-ZXYW': golden('composite-key'),
};

/** How many state machines are listed at once. */
const PAGE = 100;

/** AWS with these state machines: what the SDK answers, without a network. */
function awsWith(machines: Readonly<Record<string, string>>): Aws {
  const sfn = new SFNClient({ region: 'x', credentials: { accessKeyId: 'x', secretAccessKey: 'y' } });
  const arnOf = (name: string) => `arn:aws:states:x:111111111111:stateMachine:${name}`;
  sfn.middlewareStack.add(
    (_, context) => async args => {
      const { stateMachineArn = '', nextToken } = args.input as {
        readonly stateMachineArn?: string;
        readonly nextToken?: string;
      };
      const name = stateMachineArn.split(':').at(-1) ?? '';
      const all = Object.keys(machines).map(one => ({ name: one, stateMachineArn: arnOf(one) }));
      const from = Number(nextToken ?? 0);
      const page = { stateMachines: all.slice(from, from + PAGE) };
      const more = from + PAGE < all.length ? { nextToken: `${from + PAGE}` } : {};
      const isList = context['commandName'] === 'ListStateMachinesCommand';
      const described = { name, stateMachineArn, definition: machines[name], type: 'STANDARD' };
      const output = isList ? { ...page, ...more } : described;
      return { output: { $metadata: {}, ...output }, response: {} } as never;
    },
    { step: 'initialize' },
  );
  return { sfn } as Aws;
}

const NOTHING = { stateMachine: undefined, stack: undefined, scope: undefined };
const resolve = async (selector: Partial<typeof NOTHING> | object) =>
  (await resolveStateMachine(awsWith(MACHINES), { ...NOTHING, ...selector })).stateMachineArn
    ?.split(':')
    .at(-1);

describe('one workflow of several', () => {
  test.each([
    ['its name', { stateMachine: 'Billing-InvoiceMailStateMachine1A2B3C4D' }, 'InvoiceMail'],
    ["its construct's id, which is its scope", { stateMachine: 'InvoiceMail' }, 'InvoiceMail'],
    [
      "its construct's id, beside a scope of its own",
      { stateMachine: 'ProvisionTenant' },
      'ProvisionTenantState',
    ],
    ['the id, with a name as CloudFormation makes it', { stateMachine: 'Refund' }, 'RefundStateMachine'],
    ['its scope', { scope: 'tenants' }, 'ProvisionTenantState'],
    ['its scope within a stack', { stack: 'Billing', scope: 'InvoiceMail' }, 'InvoiceMail'],
  ])('by %s', async (_, selector, name) => {
    expect(await resolve(selector)).toContain(name);
  });

  test('none of this id or scope: said, with those that there are', async () => {
    await expect(resolve({ stateMachine: 'Invoice' })).rejects.toThrow(
      /^there is no state machine Invoice in this region and account, and no workflow with this construct id\. .*The workflows are Billing-InvoiceMail\w+ \(scope InvoiceMail\)/,
    );
    await expect(resolve({ scope: 'mail' })).rejects.toThrow(
      /has no workflow with the scope mail\. Check --scope/,
    );
  });

  test('nothing said: several, each with its scope', async () => {
    await expect(resolve({})).rejects.toThrow(
      /several workflows\. Select one with --state-machine, --stack or --scope: /,
    );
  });
});

test.each([
  [200, /has several workflows/],
  [201, /^this region has more than 200 state machines\. Select one with --state-machine ARN$/],
])('%i state machines: %s', async (count, rejection) => {
  const definition = golden('minimal');
  const machines = Object.fromEntries(Array.from({ length: count }, (_, index) => [`M${index}`, definition]));

  await expect(resolveStateMachine(awsWith(machines), NOTHING)).rejects.toThrow(rejection);
});

test('the only workflow there is: it, whatever the scope', async () => {
  const aws = awsWith({ Only: golden('minimal') });

  expect((await resolveStateMachine(aws, { ...NOTHING, scope: 'old' })).stateMachineArn).toMatch(/:Only$/);
});

describe('the key, by the definition', () => {
  test.each([
    ['minimal', 'one'],
    ['composite-key', 2],
    ['handler-and-evidence', 'one'],
  ])('%s: %s', async (name, keyParts) => {
    const overrides = { table: undefined, scope: undefined, stepTimeoutMs: undefined };

    expect(await workflowOf(awsWith({ M: golden(name) }), 'a:b:c:d:e:f:M', overrides)).toMatchObject({
      keyParts,
    });
  });

  test("a payload's hash: where an input has it cannot be said by a look at the input", async () => {
    const overrides = { table: undefined, scope: undefined, stepTimeoutMs: undefined };
    const aws = awsWith({ M: golden('handler-and-evidence') });

    expect((await workflowOf(aws, 'a:b:c:d:e:f:M', overrides)).keyPaths).toBeUndefined();
  });
});

describe('settings that this command cannot read', () => {
  const overrides = { table: undefined, scope: undefined, stepTimeoutMs: undefined };
  const withComment = (Comment: string | undefined) =>
    JSON.stringify({ ...JSON.parse(golden('minimal')), Comment });

  test.each([
    [
      'absent',
      undefined,
      /^M has no settings of onceflow in its definition: its Comment was changed, or an earlier version/,
    ],
    [
      'of a newer version',
      'W\n{"onceflow":2,"machine":"workflow"}',
      /^M has settings of a newer version .*form 2/,
    ],
    ['of an older version', 'W\n{"onceflow":0}', /^M has settings of an older version .*Deploy it again/],
    ['cut', 'W\n{"onceflow":1,"machine":"work', /^M has settings of onceflow that cannot be read/],
    [
      'of another machine',
      'W\n{"onceflow":1,"machine":"search"}',
      /^M is a search of onceflow, and not what/,
    ],
  ])('%s: said by name, with what to do', async (_case, comment, message) => {
    const aws = awsWith({ M: withComment(comment) });

    await expect(workflowOf(aws, 'a:b:c:d:e:f:M', overrides)).rejects.toThrow(message);
  });
});
