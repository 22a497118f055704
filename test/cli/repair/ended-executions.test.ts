import {
  DescribeExecutionCommand,
  GetExecutionHistoryCommand,
  ListExecutionsCommand,
  SFNClient,
} from '@aws-sdk/client-sfn';
import { mockClient } from 'aws-sdk-client-mock';
import type { WorkflowAccess } from '../../../cli/aws/workflow';
import { endedWith, findEndedExecutions } from '../../../cli/repair/ended-executions';

const sfn = mockClient(SFNClient);
const ACCESS = {
  aws: { sfn: new SFNClient({ region: 'us-east-1' }) },
  workflow: {
    type: 'STANDARD',
    stateMachineArn: 'arn:machine',
    prefix: '',
    scope: 'Pay',
    name: 'Pay',
    schema: { partitionKey: 'idempotencyKey' },
  },
} as unknown as WorkflowAccess;
const SINCE = 1_000_000;

/** Lists of executions by their status, page by page; each execution is named after the time of its end. */
function listing(pages: Readonly<Record<string, readonly (readonly number[])[]>>) {
  sfn.reset();
  sfn.on(ListExecutionsCommand).callsFake(({ statusFilter, nextToken = '0' }) => {
    const page = Number(nextToken);
    const stops = pages[statusFilter]?.[page] ?? [];
    const isLast = page + 1 >= (pages[statusFilter]?.length ?? 0);
    const executions = stops.map(stop => ({
      executionArn: `${statusFilter}:${stop}`,
      stopDate: new Date(stop),
    }));
    return { executions, ...(!isLast && { nextToken: String(page + 1) }) };
  });
  sfn.on(DescribeExecutionCommand).callsFake(({ executionArn }) => {
    const [status, stop] = executionArn.split(':');
    return { executionArn, status, stopDate: new Date(Number(stop)), input: '{}' };
  });
}

const found = async () => {
  const executions = await findEndedExecutions(
    ACCESS,
    { range: { since: SINCE, until: Number.MAX_SAFE_INTEGER }, ...endedWith(undefined) },
    () => undefined,
  );
  return executions.map(({ executionArn }) => executionArn);
};

describe('executions that have ended without succeeding', () => {
  test('of each such end, on every page, from that very moment on: the newest first', async () => {
    listing({
      FAILED: [[SINCE + 9, SINCE + 7], [SINCE + 2], [SINCE]],
      TIMED_OUT: [[SINCE + 8]],
      ABORTED: [[SINCE + 1, SINCE - 1]],
    });

    expect(await found()).toEqual(
      ['FAILED:9', 'TIMED_OUT:8', 'FAILED:7', 'FAILED:2', 'ABORTED:1', 'FAILED:0'].map(text => {
        const [status, after] = text.split(':');
        return `${status}:${SINCE + Number(after)}`;
      }),
    );
  });

  test.each<[string, string | undefined, readonly string[]]>([
    ['one key', 'Pay#a', ['Pay#a', 'Pay#a']],
    ['several keys, as in a Map', undefined, ['Pay#a', 'Pay#b']],
    ['no key', undefined, []],
  ])('it has claimed %s: which record is %s', async (_, recordKey, keys) => {
    listing({ FAILED: [[SINCE + 1]] });
    const events = keys.map((key, index) => ({
      id: index + 1,
      type: 'TaskStateExited',
      timestamp: new Date(SINCE),
      stateExitedEventDetails: {
        name: 'Claim record',
        assignedVariables: { idempotencyKey: JSON.stringify(key) },
      },
    }));
    sfn.on(GetExecutionHistoryCommand).resolves({ events } as never);

    const [execution] = await findEndedExecutions(
      ACCESS,
      { range: { since: SINCE, until: Number.MAX_SAFE_INTEGER }, ...endedWith(undefined) },
      () => undefined,
    );
    expect(execution?.recordKey).toBe(recordKey);
  });

  test('a page with one that is too old: the list is not read further', async () => {
    listing({ FAILED: [[SINCE + 1, SINCE - 1], [SINCE - 2]] });

    expect(await found()).toHaveLength(1);
    const asked = sfn.commandCalls(ListExecutionsCommand).map(({ args }) => args[0].input);
    expect(asked.filter(({ statusFilter }) => statusFilter === 'FAILED')).toHaveLength(1);
  });

  test('too many to wait for: rejected, with the remedy, and none is opened', async () => {
    const page = Array.from({ length: 1000 }, (_, n) => SINCE + n);
    listing({ FAILED: Array.from({ length: 8 }, () => page) });

    await expect(found()).rejects.toThrow(/more than 5000 executions.*Pass a shorter --since/);
    expect(sfn.commandCalls(DescribeExecutionCommand)).toEqual([]);
  });
});
