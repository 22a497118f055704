import { CreateStateMachineCommand, DescribeStateMachineCommand } from '@aws-sdk/client-sfn';
import type { Answer } from '../../cli/actions/answer';
import type { Command } from '../../cli/commands/command';
import { cost } from '../../cli/commands/cost';
import { list } from '../../cli/commands/list/list';
import { PLAIN } from '../../cli/terminal';
import { fails } from '../support/world';
import { type CliWorld, NOBODY, ORDER, openCliWorld } from './world';

const WHERE = ['--region', 'us-east-1'];
const WHY = 'Quick is an Express workflow, so Step Functions cannot list its executions';

describe('an Express workflow among others', () => {
  let c: CliWorld;
  beforeAll(async () => {
    c = await openCliWorld();
    const { stateMachineArn } = c.workflow;
    const { definition, roleArn } = await c.aws.sfn.send(
      new DescribeStateMachineCommand({ stateMachineArn }),
    );
    await c.aws.sfn.send(
      new CreateStateMachineCommand({ name: 'Quick', type: 'EXPRESS', definition, roleArn }),
    );
    c.world.step = () => fails('CardDeclined');
    await c.world.delivered(ORDER);
    await c.world.delivered({ ...ORDER, amount: 99 });
  });
  afterAll(() => c.close());

  async function answerOf(command: Command, ...args: readonly string[]): Promise<Answer> {
    const task = command.read(['--endpoint', c.world.stack.endpoint, ...WHERE, ...args], {});
    const session = { terminal: NOBODY, env: {}, ended: new AbortController().signal };
    const answer = await task?.run(session);
    if (typeof answer !== 'object') throw new Error('no answer');
    return answer;
  }

  test('cost: the others are answered, and the Express one says why its cost is unknown', async () => {
    const { code, json, text } = await answerOf(cost, '--since', '2020-01-01');

    expect(code).toBe(0);
    expect(json).toMatchObject({
      workflows: expect.arrayContaining([
        { workflow: 'Quick', cost: { unknown: WHY } },
        expect.objectContaining({ workflow: c.workflow.name, listed: 2 }),
      ]),
    });
    expect(text(PLAIN)).toContain(`cost unknown, because ${WHY}\n`);
  });

  test('cost of the Express one alone: rejected', async () => {
    await expect(answerOf(cost, '--state-machine', 'Quick')).rejects.toThrow(`${WHY}. See its metrics`);
  });

  test('cost of a key: that of each workflow, and the Express one says why its cost is unknown', async () => {
    const { code, json } = await answerOf(cost, 'order-7');

    expect(code).toBe(0);
    expect(json).toMatchObject({
      workflows: [
        { workflow: c.workflow.name, cost: { executions: 1 } },
        { workflow: 'Quick', cost: { unknown: WHY } },
      ],
    });
  });

  test.each([
    ['--unfinished', 'executions', 'executions without a record'],
    ['--rejected', 'rejected', 'rejected deliveries'],
  ])(
    'list %s: the others are listed, and the Express one says why it is not',
    async (option, member, what) => {
      const { code, json, text } = await answerOf(list, option, '--since', '2020-01-01');

      expect(code).toBe(0);
      expect(json).toMatchObject({
        workflows: expect.arrayContaining([
          expect.objectContaining({ workflow: 'Quick', [member]: { unknown: WHY } }),
          expect.objectContaining({ workflow: c.workflow.name, [`${member}Found`]: expect.any(Number) }),
        ]),
      });
      expect(text(PLAIN).replaceAll(/\s+/g, ' ')).toContain(`; ${what}: unknown, because ${WHY}; `);
    },
  );

  test('list --rejected of the Express one alone: says why', async () => {
    const { json } = await answerOf(list, '--rejected', '--state-machine', 'Quick');

    expect(json).toMatchObject({ workflow: 'Quick', rejected: { unknown: WHY } });
  });
});
