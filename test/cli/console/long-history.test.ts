import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import {
  DescribeExecutionCommand,
  type DescribeExecutionOutput,
  DescribeStateMachineForExecutionCommand,
  type GetExecutionHistoryInput,
  type HistoryEvent,
} from '@aws-sdk/client-sfn';
import type { ExecutionView, ViewMessage } from '@onceflow/console';
import type { Aws } from '../../../cli/aws/aws';
import { clientsFor } from '../../../cli/aws/clients';
import { connectionTo } from '../../../cli/console/connection';
import { serveConsole } from '../../../cli/console/server/server';
import { readExecution } from '../../../cli/console/views/read-execution';

const ARN = 'arn:aws:states:us-east-1:111111111111:execution:orders:long';

/** Step Functions with one execution, whose history is as long as the test says. */
class StepFunctions {
  events: HistoryEvent[] = [];
  description: DescribeExecutionOutput = {
    status: 'RUNNING',
    startDate: new Date(0),
    executionArn: ARN,
    stateMachineArn: '',
  };
  readonly asked: string[] = [];

  grow(count: number, output = '{}'): this {
    for (let each = 0; each < count; each += 1) {
      const id = this.events.length + 1;
      const stateExitedEventDetails = { name: 'Pass', output };
      this.events.push({ id, type: 'PassStateExited', timestamp: new Date(id), stateExitedEventDetails });
    }
    return this;
  }

  async send(command: { readonly input: object }): Promise<unknown> {
    if (command instanceof DescribeExecutionCommand) return this.description;
    if (command instanceof DescribeStateMachineForExecutionCommand) return { definition: '{}' };
    const {
      maxResults = 100,
      nextToken = '0',
      reverseOrder = false,
    } = command.input as Partial<GetExecutionHistoryInput>;
    const from = Number(nextToken);
    this.asked.push(`${maxResults} from ${from}${reverseOrder ? ' of the end' : ''}`);
    const events = reverseOrder ? this.events.toReversed() : this.events;
    const to = from + maxResults;
    return { events: events.slice(from, to), ...(to < events.length && { nextToken: String(to) }) };
  }
}

describe('an execution with a long history', () => {
  const target = { endpoint: 'http://127.0.0.1:1', region: 'us-east-1' };
  const clients = clientsFor(target, {}, new AbortController().signal);
  let stepFunctions: StepFunctions;
  let aws: Aws;
  beforeEach(() => {
    stepFunctions = new StepFunctions();
    const send = (command: { readonly input: object }) => stepFunctions.send(command);
    aws = { ...clients, sfn: Object.assign(Object.create(clients.sfn), { send }) };
  });
  afterAll(() => clients.close());
  const ids = ({ events }: ExecutionView) => events.map(({ id }) => id);
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

  test('its first events come at once, and it says of how many; every event is there in the end', async () => {
    stepFunctions.grow(2500);
    const parts: ExecutionView[] = [];
    const whole = await readExecution(aws, ARN, part => parts.push(part()));

    expect(parts.map(({ events, reading }) => [events.length, reading])).toEqual([
      [200, { done: 200, of: 2500 }],
      [1200, { done: 1200, of: 2500 }],
      [2200, { done: 2200, of: 2500 }],
    ]);
    expect([ids(whole), whole.reading]).toEqual([upTo(2500), null]);
  });

  test('large events: no more at once than an answer may have', async () => {
    stepFunctions.grow(700, `"${'x'.repeat(256 * 1024)}"`);
    await readExecution(aws, ARN);

    expect(stepFunctions.asked).toEqual([
      '200 from 0',
      '1 from 0 of the end',
      '200 from 200',
      '200 from 400',
      '200 from 600',
    ]);
  });

  test('it has been read before: what has come since is read from the end, and nothing of one that has ended', async () => {
    stepFunctions.grow(500);
    const before = await readExecution(aws, ARN);
    stepFunctions.grow(250);
    stepFunctions.description = { ...stepFunctions.description, status: 'FAILED', stopDate: new Date(9) };
    stepFunctions.asked.length = 0;
    const ended = await readExecution(aws, ARN, undefined, before);
    const again = await readExecution(aws, ARN, undefined, ended);

    expect(ids(ended)).toEqual(upTo(750));
    expect(stepFunctions.asked).toEqual(['200 from 0 of the end', '1000 from 200 of the end']);
    expect(again).toBe(ended);
  });

  test('another execution has the same name by now: it is read from its beginning', async () => {
    stepFunctions.grow(500);
    const longer = await readExecution(aws, ARN);
    stepFunctions.events = [];
    stepFunctions.grow(3);
    stepFunctions.description = { ...stepFunctions.description, startDate: new Date(5) };

    expect(ids(await readExecution(aws, ARN, undefined, longer))).toEqual(upTo(3));
  });

  test('over the stream: each event is sent once', async () => {
    stepFunctions.grow(1000);
    const connection = connectionTo(aws, { where: 'here', isLocal: true, stack: undefined });
    const server = await serveConsole({ html: '', script: '', style: '' }, connection, 0);
    try {
      const asked = get(`${server.url}/api/live?of=/executions/${encodeURIComponent(ARN)}`);
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      const messages: { readonly kept: number; readonly ids: readonly number[] }[] = [];
      let text = '';
      for await (const chunk of answer) {
        text += chunk;
        const blocks = text.split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks.filter(each => each.startsWith('event: view'))) {
          const message = JSON.parse(block.slice(block.indexOf('data: ') + 6)) as ViewMessage;
          messages.push({ kept: message.kept, ids: ids(message.view as ExecutionView) });
        }
        if (messages.length === 2) break;
      }

      expect(messages).toEqual([
        { kept: 0, ids: upTo(200) },
        { kept: 200, ids: upTo(1000).slice(200) },
      ]);
    } finally {
      await server.close();
    }
  });
});
