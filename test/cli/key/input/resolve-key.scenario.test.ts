import {
  DescribeExecutionCommand,
  GetExecutionHistoryCommand,
  type HistoryEvent,
  SFNClient,
} from '@aws-sdk/client-sfn';
import { mockClient } from 'aws-sdk-client-mock';
import { show } from '../../../../cli/commands/show';
import { type Key, keyOf } from '../../../../cli/key/input/key';
import { resolveKey } from '../../../../cli/key/input/resolve-key';
import { PLAIN } from '../../../../cli/terminal';
import { type CliWorld, ORDER, openCliWorld } from '../../world';

const typed = (...parts: string[]) => keyOf({ parts, isNumber: false, isRecorded: false, json: undefined });

describe('the key that the operator means', () => {
  let c: CliWorld;
  beforeEach(async () => {
    c = await openCliWorld();
  });
  afterEach(() => c.close());
  const put = (key: string) =>
    c.world.putRecord({
      idempotencyKey: { S: `ChargePayment#${key}` },
      status: { S: 'COMPLETED' },
      attempt: { N: '1' },
      owner: { S: 'arn:aws:states:us-east-1:111111111111:execution:Other:e' },
    });
  const resolved = async (...parts: string[]) => (await resolveKey(c.context, typed(...parts))).text;

  test('is the interpretation that has a record', async () => {
    await put('#17');
    await put('anonymous,k-1');
    await put('acme,#17');

    expect(await resolved('17')).toBe('#17');
    expect(await resolved('k-1')).toBe('anonymous,k-1');
    expect(await resolved('acme', '17')).toBe('acme,#17');
  });

  test('is that of an execution, by its name or ARN', async () => {
    const { executionArn } = await c.world.delivered(ORDER);

    expect(await resolved(executionArn)).toBe('order-7');
    expect(await resolved(executionArn.split(':').at(-1) ?? '')).toBe('order-7');
  });

  test('the ARN of an execution without a key: says how it ended, what its key is, and how to see its input', async () => {
    const { executionArn } = await c.world.delivered({ orderId: null, amount: 1, currency: 'EUR' });
    const unknown = executionArn.replace(/[^:]+$/, 'unknown');

    await expect(resolved(executionArn)).rejects.toThrow(
      /^execution \S+ has claimed no key, so it has no record: it ended FAILED with Idempotency\.InvalidEvent \(the key is \$states\.input\.detail\.orderId, which gave null.*\)\. .* aws stepfunctions describe-execution --execution-arn arn:/,
    );
    expect(await resolved(unknown)).toBe(unknown);
  });

  test('several have a record: none is taken, and each is named with how to say it', async () => {
    await put('17');
    await put('#17');

    await expect(resolved('17')).rejects.toThrow(
      "17 could mean several keys that have a record. Pass one of: 17 (--recorded '17'); #17 (--recorded '#17')",
    );
  });

  test('a guess is not enough for a command that does not show the key first', async () => {
    await put('#17');
    await put('acme,#17');
    const unasked = (key: Key) => resolveKey(c.context, key, { isUnasked: true });

    await expect(unasked(typed('17'))).rejects.toThrow(
      "17 has no record, but #17 has one. With --yes the key must be exact: pass --recorded '#17'",
    );
    await expect(unasked(typed('acme', '17'))).rejects.toThrow("pass --recorded 'acme,#17'");
    expect(await unasked(typed('#17'))).toMatchObject({ text: '#17' });
    expect(await unasked(typed('["acme",17]'))).toMatchObject({ text: 'acme,#17' });
  });

  test('none has a record: it is the key as it was typed, and all interpretations are named', async () => {
    const wanted = { key: typed('17'), range: {}, limit: 10 };

    await expect(show.run(c.context, wanted).then(answer => answer.text(PLAIN))).rejects.toThrow(
      'also tried: #17, anonymous,17\n',
    );
  });
});

describe('an execution of which not all is known', () => {
  const OWN = 'arn:aws:states:us-east-1:111111111111:stateMachine:M';
  const ARN = `${OWN.replace(':stateMachine:', ':execution:')}:e`;
  const passed = Array.from({ length: 40 }, (_, index) => ({
    id: index + 1,
    type: 'PassStateEntered' as const,
    timestamp: new Date(0),
    stateEnteredEventDetails: { name: `Before ${index}` },
  }));
  const claiming = [
    {
      id: 1,
      type: 'TaskStateEntered' as const,
      timestamp: new Date(0),
      stateEnteredEventDetails: { name: 'Claim record' },
    },
  ];

  /** What the key of this text is taken for, with such a history. */
  async function taken(text: string, events: readonly HistoryEvent[]): Promise<string> {
    const c = await openCliWorld();
    const sfn = mockClient(SFNClient);
    sfn.on(GetExecutionHistoryCommand).resolves({ events: [...events] });
    sfn.on(DescribeExecutionCommand).resolves({ executionArn: text, status: 'RUNNING' });
    const access = { ...c.context, workflow: { ...c.workflow, stateMachineArn: OWN } };
    try {
      return (await resolveKey(access, typed(text))).text;
    } finally {
      sfn.restore();
      await c.close();
    }
  }

  test.each([
    ['its claim may follow a long beginning', ARN, passed],
    ['its claim is under way', ARN, claiming],
    ['it is of another state machine', ARN.replace(':M:', ':Other:'), []],
  ])('%s: not said to have claimed no key', async (_, text, events) => {
    expect(await taken(text, events)).toBe(text);
  });

  test('all is known: said', async () => {
    await expect(taken(ARN, [])).rejects.toThrow(/^execution e has claimed no key, .*: it is running\. /);
  });
});
