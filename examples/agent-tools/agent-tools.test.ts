import { checkFindings } from '../findings';
import { type Model, runAgent, type ToolCall } from './agent';
import { model, PLAN, play } from './play';
import { AgentToolsStack } from './stack';
import { World } from './world';

// Functions run for real, in processes of their own: a busy machine takes its time.
jest.setTimeout(60_000);

describe('the tool calls of an agent', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.open();
  });
  afterAll(() => world?.close());

  const mail = (subject: string): ToolCall => ({
    tool: 'sendMail',
    arguments: { to: 'ada@example.com', subject },
  });
  const refund = (cents: number): ToolCall => ({
    tool: 'refund',
    arguments: { order: 'order-7', cents },
  });

  test('the same call again, with another request id and its arguments in another order: the first answer', async () => {
    const first = await world.callTool('again', mail('Hello'));
    const reordered = { tool: 'sendMail', arguments: { subject: 'Hello', to: 'ada@example.com' } };

    expect(await world.callTool('again', reordered)).toEqual(first);
    expect(await world.callTool('again', mail('Hello'))).toEqual(first);
    expect(world.toolRunsOf('again')).toBe(1);
    expect(await world.effectsOf('again')).toEqual(['mail to ada@example.com: Hello']);
  });

  test('the same call many times at once: one effect, one answer', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => world.callTool('at once', mail('Hi'))));

    expect(new Set(answers.map(answer => JSON.stringify(answer))).size).toBe(1);
    expect(await world.effectsOf('at once')).toHaveLength(1);
  });

  test('another argument, another tool, another run: another call', async () => {
    await Promise.all([
      world.callTool('other', mail('One')),
      world.callTool('other', mail('Two')),
      world.callTool('other', { tool: 'bookCourier', arguments: { to: 'ada@example.com', subject: 'One' } }),
      world.callTool('yet other', mail('One')),
    ]);

    expect(await world.effectsOf('other')).toHaveLength(3);
    expect(await world.effectsOf('yet other')).toHaveLength(1);
  });

  test('numbers that agree in their first 15 digits, a number, its text and a list of it: other arguments', async () => {
    const given = [1, '1', [1], [[1]], 0.1 + 0.2, 0.3, 9_007_199_254_740_991, 9_007_199_254_740_990];
    await Promise.all(
      given.map(day => world.callTool('digits', { tool: 'bookCourier', arguments: { city: 'Bern', day } })),
    );

    expect(await world.effectsOf('digits')).toHaveLength(given.length);
  });

  describe('a tool call that failed', () => {
    test('of a tool whose failures may pass: made again when it is asked for again', async () => {
      world.failNext('passing', 'MailServerBusy');

      expect(await world.callTool('passing', mail('Hi'))).toMatchObject({ error: 'MailServerBusy' });
      expect(await world.effectsOf('passing')).toEqual([]);
      expect(await world.callTool('passing', mail('Hi'))).toHaveProperty('result');
      expect(world.toolRunsOf('passing')).toBe(2);
      expect(await world.effectsOf('passing')).toHaveLength(1);
    });

    test('of a tool whose failure is the answer: the stored failure, without asking the tool', async () => {
      const rejected = await world.callTool('decided', refund(90_000));

      expect(rejected).toMatchObject({ error: 'RefundRejected' });
      expect(await world.callTool('decided', refund(90_000))).toEqual(rejected);
      expect(world.toolRunsOf('decided')).toBe(1);
      // The model may ask for less: that is another call.
      expect(await world.callTool('decided', refund(50_000))).toHaveProperty('result');
    });
  });

  describe('the loop, played again from its start', () => {
    test('its answers are those of the first time, so that the model reads the same', async () => {
      const first = await runAgent('same', model, world.callTool);

      expect(await runAgent('same', model, world.callTool)).toEqual(first);
      expect(world.toolRunsOf('same')).toBe(PLAN.length);
    });

    // The README names this limit: the workflow cannot know that another wording means the same mail.
    test('a model that now words a mail otherwise: a second mail', async () => {
      const saying =
        (subject: string): Model =>
        answers =>
          answers.length === 0 ? mail(subject) : undefined;
      await runAgent('reworded', saying('Your refund'), world.callTool);
      await runAgent('reworded', saying('About your refund'), world.callTool);

      expect(await world.effectsOf('reworded')).toHaveLength(2);
    });
  });

  test('the story of the command, with a crash around each call: every call has its effect once', async () => {
    const rows = await play(world);

    expect(rows.filter(({ isRight }) => !isRight)).toEqual([]);
    expect(rows.map(({ effects }) => effects)).toEqual(rows.map(() => PLAN.length));
  });
});

test('the AwsSolutions rules of cdk-nag: no finding that is not acknowledged with its reason', () => {
  expect(() => checkFindings(app => new AgentToolsStack(app, 'AgentTools'))).not.toThrow();
});
