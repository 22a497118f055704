import { type DeliveryInterceptor, type Interceptor, startTestStack, type TestStack } from '@onceflow/local';
import { checkFindings } from '../findings';
import { OPENS_AT, synthesized } from '../fixture';
import { isOfTheReport, play, START, Witness } from './play';
import { reportsOf, sell } from './shop';
import { ScheduledReportStack } from './stack';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** The right report for nine o'clock, at any time of writing. */
const REPORT = {
  scheduledTime: '2026-11-20T09:00:00Z',
  hour: '2026-11-20T08',
  sales: 2,
  total: 1550,
};

// Functions run for real, in processes of their own: a busy machine takes its time.
jest.setTimeout(60_000);

const { assembly, remove } = synthesized(app => new ScheduledReportStack(app, 'ScheduledReport'));
afterAll(remove);

describe('an hourly report', () => {
  let stack: TestStack;
  /** What happens to the calls of the state machines, and to the deliveries of the schedule, from now on. */
  let faults: Interceptor;
  let delivery: DeliveryInterceptor;
  /** Every run of the step so far. */
  let runs: string[];

  beforeEach(async () => {
    runs = [];
    faults = (_, next) => next();
    delivery = (_, next) => next();
    stack = await startTestStack({
      assembly,
      startAt: OPENS_AT,
      interceptor: (call, next) => {
        if (call.stateName === 'Business step') {
          const { Payload } = call.arguments as unknown as {
            Payload: { idempotencyKey: string; attempt: number };
          };
          runs.push(`${Payload.idempotencyKey} attempt ${Payload.attempt}`);
        }
        return faults(call, next);
      },
      deliveryInterceptor: (attempt, next) =>
        isOfTheReport(attempt.ruleArn) ? delivery(attempt, next) : next(),
    });
    await sell(stack, '2026-11-20T08', [1250, 300]);
    await sell(stack, '2026-11-20T09', [999]);
  });
  afterEach(() => stack.close());

  const fire = () => stack.schedules.fire(stack.schedules.names().find(isOfTheReport) ?? '');
  const settle = () => stack.act(async () => undefined);
  const pass = (ms: number) => stack.pass(ms);
  const reports = () => reportsOf(stack);
  const executions = async () => {
    const stateMachineArn = stack.output('StateMachineArn');
    const { executions } = await stack.runtime.listExecutions({ stateMachineArn });
    return [...executions].reverse();
  };
  const failOnce = () => {
    let isFailing = true;
    faults = async (call, next) => {
      if (call.stateName !== 'Business step' || !isFailing) return next();
      isFailing = false;
      return { kind: 'failed', error: 'SalesNotReadable', cause: '' };
    };
  };

  test('the schedule fires twice for one time: one report, whose key is the time', async () => {
    await fire();
    await settle();
    await fire();
    await settle();

    expect(await reports()).toEqual([REPORT]);
    expect(runs).toEqual(['HourlyReport#2026-11-20T09:00:00Z attempt 1']);
    expect(await executions()).toHaveLength(1);
  });

  test('it fires twice at the same moment: one report', async () => {
    await Promise.all([fire(), fire(), fire()]);
    await settle();

    expect(await reports()).toEqual([REPORT]);
  });

  test.each([
    ['while the report is being written', 5 * SECOND],
    ['when later ones have been written', 2 * HOUR + MINUTE],
  ])('one event is delivered again %s: one report of its time', async (_, later) => {
    faults = async (call, next) => {
      if (call.stateName === 'Business step') await stack.work.pause(stack.clock, 10 * SECOND);
      return next();
    };
    let deliveries = 0;
    delivery = async (_, next) => {
      deliveries += 1;
      if (deliveries > 1) return next();
      await next();
      await stack.work.pause(stack.clock, later);
      deliveries += 1;
      return next();
    };
    const fired = fire();
    await pass(later + MINUTE);
    await fired;

    expect(deliveries).toBeGreaterThan(1);
    expect((await reports()).filter(({ hour }) => hour === REPORT.hour)).toEqual([REPORT]);
    expect(runs.filter(run => run.includes('T09:'))).toHaveLength(1);
  });

  test('the answer of a delivery is lost: EventBridge delivers again, one report', async () => {
    let attempts = 0;
    delivery = async (_, next) => {
      attempts += 1;
      const answer = await next();
      if (attempts === 1) throw new Error('connection reset');
      return answer;
    };
    const fired = fire();
    await settle();
    await fired;

    expect(attempts).toBe(2);
    expect(await reports()).toEqual([REPORT]);
  });

  test('the schedule reaches no target until the next hour: still the report of its own time', async () => {
    delivery = async (_, next) => {
      if (stack.now() < OPENS_AT + HOUR) throw new Error('service unavailable');
      return next();
    };
    const fired = fire();
    await settle();
    await fired;

    expect(stack.now()).toBeGreaterThan(OPENS_AT + HOUR);
    expect(await reports()).toEqual([REPORT]);
  });

  test('two times: two reports, each of its own hour', async () => {
    await fire();
    await pass(HOUR);
    await settle();

    expect(await reports()).toEqual([
      REPORT,
      { scheduledTime: '2026-11-20T10:00:00Z', hour: '2026-11-20T09', sales: 1, total: 999 },
    ]);
    expect((await executions()).map(({ status }) => status)).toEqual(['SUCCEEDED', 'SUCCEEDED']);
  });

  test('an hour without sales: a report that says so', async () => {
    await pass(2 * HOUR);

    expect((await reports()).at(-1)).toEqual({
      scheduledTime: '2026-11-20T11:00:00Z',
      hour: '2026-11-20T10',
      sales: 0,
      total: 0,
    });
  });

  describe('a report that failed', () => {
    test('is made when the schedule fires again for the same time', async () => {
      failOnce();
      await fire();
      await settle();
      expect(await reports()).toEqual([]);
      await fire();
      await settle();

      expect(await reports()).toEqual([REPORT]);
      expect(runs).toEqual([1, 2].map(attempt => `HourlyReport#2026-11-20T09:00:00Z attempt ${attempt}`));
      await fire();
      await settle();
      expect(runs).toHaveLength(2);
    });

    test('is not made by the firing of the next time, but by a start with its own', async () => {
      failOnce();
      await fire();
      await pass(HOUR);
      await settle();
      expect((await reports()).map(({ hour }) => hour)).toEqual(['2026-11-20T09']);

      const stateMachineArn = stack.output('StateMachineArn');
      await stack.runtime.startExecution({ stateMachineArn, input: '{"time":"2026-11-20T09:00:00Z"}' });
      await settle();
      expect((await reports())[0]).toEqual(REPORT);
    });

    test('was stopped while it was written: recovery brings it back when the step has certainly ended', async () => {
      faults = (call, next) => (call.stateName === 'Business step' ? stack.work.lose() : next());
      await fire();
      await pass(SECOND);
      const [owner] = await executions();
      await stack.runtime.stopExecution({ executionArn: owner?.executionArn ?? '' });
      faults = (_, next) => next();
      await pass(MINUTE);
      expect(await reports()).toEqual([]);
      await settle();

      expect(await reports()).toEqual([REPORT]);
      expect((await executions())[0]).toMatchObject({ status: 'SUCCEEDED', redriveCount: 1 });
    });
  });
});

test('the story of the command: one report for each scheduled time', async () => {
  const witness = new Witness();
  const { interceptor, deliveryInterceptor } = witness;
  const stack = await startTestStack({ assembly, startAt: START, interceptor, deliveryInterceptor });
  const rows = await play(stack, witness).finally(() => stack.close());

  expect(rows).toMatchObject([
    { time: '2026-11-20T09:00:00Z', deliveries: 1, runs: 1, reports: 1, total: 1550, isRight: true },
    { time: '2026-11-20T10:00:00Z', deliveries: 2, runs: 1, reports: 1, total: 999, isRight: true },
    { time: '2026-11-20T11:00:00Z', deliveries: 2, runs: 1, reports: 1, total: 5002, isRight: true },
    { time: '2026-11-20T12:00:00Z', deliveries: 2, runs: 2, reports: 1, total: 700, isRight: true },
  ]);
});

test('the AwsSolutions rules of cdk-nag: no finding that is not acknowledged with its reason', () => {
  expect(() => checkFindings(app => new ScheduledReportStack(app, 'ScheduledReport'))).not.toThrow();
});
