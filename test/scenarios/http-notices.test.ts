import { Duration, type Stack } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { FailureDestination, OnInProgress, SuccessDestination } from '../../infra/index';
import { failing } from '../support/faults';
import { type HttpWorld, keyed, openHttp } from '../support/http';
import { fails, returns } from '../support/world';

const MINUTE_MS = 60_000;
const WAITS = { onDuplicateInProgress: OnInProgress.wait(Duration.seconds(20)) };
const queueOf = (stack: Stack) => new Queue(stack, 'Notices', { queueName: 'notices' });

let world: HttpWorld;
afterEach(() => world.close());

// An execution whose notice is rejected runs for hours under the name of its key. A start with the same input is
// answered with it, although it claims nothing any more.
describe('a request whose name belongs to an execution that is still sending its notice', () => {
  test('its record has expired: a new run', async () => {
    world = await openHttp('success notice', {}, { retention: Duration.hours(1) }, stack => ({
      onSuccess: SuccessDestination.queue(queueOf(stack)),
    }));
    world.faults = failing('Send result', 'Sqs.SqsException');
    await answered(70 * MINUTE_MS);

    expect(await answered(MINUTE_MS)).toMatchObject({ status: 200, body: '{"charge":2}' });
    expect(world.runs).toHaveLength(2);
  });

  test('its step has failed: it runs again', async () => {
    world = await openHttp('failure notice', {}, WAITS, stack => ({
      onFailure: FailureDestination.queue(queueOf(stack)),
    }));
    world.faults = failing('Send failure', 'Sqs.SqsException');
    world.step = async () => fails('CardDeclined');
    expect(await answered(5 * MINUTE_MS)).toMatchObject({ status: 500 });
    world.step = async () => returns({ charge: 'again' });

    expect(await answered(MINUTE_MS)).toMatchObject({ status: 200, body: '{"charge":"again"}' });
    expect(world.runs).toHaveLength(2);
  });

  test('its result is in its output: the owner is asked about once a second', async () => {
    world = await openHttp('long result', {}, {}, stack => ({
      onSuccess: SuccessDestination.queue(queueOf(stack)),
    }));
    const denied = failing('Send result', 'Sqs.SqsException');
    let questions = 0;
    world.faults = (call, next) => {
      if (call.resource.endsWith(':describeExecution')) questions++;
      return denied(call, next);
    };
    world.step = async () => returns('x'.repeat(60_000));

    expect(await answered(MINUTE_MS)).toMatchObject({ status: 202 });
    expect(questions).toBeGreaterThan(5);
    expect(questions).toBeLessThanOrEqual(25);
  });

  async function answered(waitMs: number) {
    const answer = world.request(keyed('k1'));
    await world.pass(waitMs);
    return answer;
  }
});
