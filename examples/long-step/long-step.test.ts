import { checkFindings } from '../findings';
import { synthesized } from '../fixture';
import { play } from './play';
import { ASKED_AGAIN_AFTER, HEARTBEAT_TIMEOUT, LongStepStack, WORKER_ENDS_WITHIN } from './stack';
import { HOUR, MINUTE, Studio } from './studio';
import type { Job } from './worker';

// The workers' requests go over HTTP: a busy machine takes its time.
jest.setTimeout(60_000);

const HEARTBEAT = HEARTBEAT_TIMEOUT.toMilliseconds();
const ENDS_WITHIN = WORKER_ENDS_WITHIN.toMilliseconds();
const ASKED_AGAIN = ASKED_AGAIN_AFTER.toMilliseconds();

describe('a step of hours', () => {
  const { assembly, remove } = synthesized(app => new LongStepStack(app, 'LongStep'));
  let studio: Studio;
  beforeEach(async () => {
    studio = await new Studio().open(assembly);
  });
  afterEach(() => studio.close());
  afterAll(remove);

  /** Orders a film, whose job a worker takes. */
  const begun = async (film: string): Promise<Job> => {
    await studio.order(film);
    return taken();
  };
  const taken = async (): Promise<Job> => {
    const job = await studio.takeJob();
    if (job === undefined) throw new Error('there is no job to take');
    return job;
  };
  /** Lets pass what a silent worker costs: its heartbeat is missed, it has ended for certain, and is replaced. */
  const passToNextAttempt = () => studio.pass(HEARTBEAT + ENDS_WITHIN + ASKED_AGAIN);

  test('an hour of work with heartbeats: published once, answered, recorded', async () => {
    const job = await begun('film-1');
    expect(await studio.work(job, HOUR)).toBe(true);
    expect(await studio.recordOf('film-1')).toMatchObject({ status: 'IN_PROGRESS', attempt: 1 });
    expect(await studio.finish(job, 's3://films/1')).toEqual({ published: true, told: true });

    expect(await studio.recordOf('film-1')).toMatchObject({ status: 'COMPLETED', attempt: 1 });
    expect(await studio.filmOf('film-1')).toEqual({ address: 's3://films/1', publications: 1 });
    const [owner] = await studio.executions();
    expect(JSON.parse(owner?.output ?? '')).toEqual({ film: 'film-1', address: 's3://films/1' });
  });

  test('ordered again meanwhile, and afterwards: no other job, and the one result', async () => {
    const job = await begun('film-1');
    await studio.work(job, 12 * MINUTE);
    await studio.order('film-1');
    expect(await studio.startFor('film-1')).toMatchObject({ error: 'Idempotency.InProgress' });
    expect(await studio.takeJob()).toBeUndefined();

    await studio.finish(job, 's3://films/1');
    const later = await studio.startFor('film-1');
    expect(JSON.parse(later.output ?? '')).toEqual({ film: 'film-1', address: 's3://films/1' });
    expect(await studio.takeJob()).toBeUndefined();
  });

  test('the queue delivers the job twice: it is one worker that has it', async () => {
    const job = await begun('film-1');
    studio.deliverJobAgain(job);

    expect(await studio.takeJob()).toBeUndefined();
    expect(await studio.finish(job, 's3://films/1')).toEqual({ published: true, told: true });
  });

  test('a worker reports that it cannot: recorded as it said, and asked for again', async () => {
    const job = await begun('film-1');
    expect(await job.fail('SourceUnreadable', 'reel-1 is torn')).toBe(true);
    await studio.pass(ENDS_WITHIN);
    expect(await studio.recordOf('film-1')).toEqual({
      status: 'FAILED',
      attempt: 1,
      error: 'SourceUnreadable',
    });

    await studio.pass(ASKED_AGAIN);
    expect((await taken()).message).toMatchObject({ attempt: 2, redrives: 0 });
  });

  describe('a worker that is not heard of any more', () => {
    test('what the record says: in progress, failed when it has certainly ended, then the next attempt', async () => {
      await begun('film-1');
      await studio.pass(HEARTBEAT + ENDS_WITHIN - 1);
      expect(await studio.recordOf('film-1')).toMatchObject({ status: 'IN_PROGRESS', attempt: 1 });
      await studio.pass(1);
      const error = 'States.Timeout';
      expect(await studio.recordOf('film-1')).toEqual({ status: 'FAILED', attempt: 1, error });
      expect(await studio.takeJob()).toBeUndefined();

      await studio.pass(ASKED_AGAIN);
      expect(await studio.recordOf('film-1')).toMatchObject({ status: 'IN_PROGRESS', attempt: 2 });
      expect((await taken()).message).toMatchObject({ attempt: 2, redrives: 0 });
    });

    test('it wakes up beside its successor: it cannot publish, and its success is rejected', async () => {
      const old = await begun('film-1');
      await studio.work(old, HOUR / 2);
      await passToNextAttempt();
      const next = await taken();

      expect(await old.heartbeat()).toBe(false);
      expect(await studio.finish(old, 's3://films/old')).toEqual({ published: false, told: false });
      expect(await studio.finish(next, 's3://films/new')).toEqual({ published: true, told: true });
      expect(await studio.filmOf('film-1')).toEqual({ address: 's3://films/new', publications: 1 });
      expect(await studio.recordOf('film-1')).toMatchObject({ status: 'COMPLETED', attempt: 2 });
    });

    test('it wakes up when its successor has finished: the film stays as it is', async () => {
      const old = await begun('film-1');
      await passToNextAttempt();
      await studio.finish(await taken(), 's3://films/new');

      expect(await old.publish('s3://films/old')).toBe(false);
      expect(await studio.filmOf('film-1')).toEqual({ address: 's3://films/new', publications: 1 });
    });

    test('it publishes late, before its successor begins: rejected, but its film is the result', async () => {
      const old = await begun('film-1');
      await passToNextAttempt();
      expect(await old.publish('s3://films/old')).toBe(true);
      expect(await old.succeed({ film: 'film-1', address: 's3://films/old' })).toBe(false);

      expect(await studio.finish(await taken(), 's3://films/new')).toEqual({ published: false, told: true });
      expect(await studio.filmOf('film-1')).toEqual({ address: 's3://films/old', publications: 1 });
      const answered = await studio.startFor('film-1');
      expect(JSON.parse(answered.output ?? '')).toEqual({ film: 'film-1', address: 's3://films/old' });
    });

    test('it stopped between publishing and telling: its successor tells, and publishes nothing', async () => {
      const old = await begun('film-1');
      await old.publish('s3://films/1');
      await passToNextAttempt();

      expect(await studio.finish(await taken(), 's3://films/2')).toEqual({ published: false, told: true });
      expect(await studio.filmOf('film-1')).toEqual({ address: 's3://films/1', publications: 1 });
    });

    test('it stopped with the message in its hands: the next worker gets it, and sees that no execution waits', async () => {
      const job = await begun('film-1');
      studio.deliverJobAgain(job);
      await passToNextAttempt();

      expect(await studio.takeJob()).toBeUndefined();
      expect((await taken()).message).toMatchObject({ attempt: 2 });
    });
  });

  test('no worker takes the job in time: asked for again, and the message of before is dropped', async () => {
    await studio.order('film-1');
    await passToNextAttempt();

    expect(await studio.takeJob()).toBeUndefined();
    const job = await taken();
    expect(job.message).toMatchObject({ attempt: 2 });
    expect(await studio.finish(job, 's3://films/1')).toEqual({ published: true, told: true });
  });

  test('the execution is stopped: its worker gets an error, and one of the redriven execution fences it off', async () => {
    const old = await begun('film-1');
    await studio.stopOwner('film-1');
    expect(await old.heartbeat()).toBe(false);

    await studio.pass(HOUR / 4);
    const next = await taken();
    // One attempt, whose execution was redriven: the second number of the fence tells the two workers apart.
    expect(next.message).toMatchObject({ attempt: 1, redrives: 1 });
    expect(await old.publish('s3://films/old')).toBe(false);
    expect(await studio.finish(next, 's3://films/new')).toEqual({ published: true, told: true });
    expect(await studio.recordOf('film-1')).toMatchObject({ status: 'COMPLETED', attempt: 1 });
  });

  test('a worker stops in every attempt: six of them, and then it is left to a person', async () => {
    await studio.order('film-1');
    await studio.settle();

    expect(await studio.recordOf('film-1')).toMatchObject({ status: 'FAILED', attempt: 6 });
  });

  test('the story of the command: each film is published once', async () => {
    expect((await play(studio)).filter(({ isRight }) => !isRight)).toEqual([]);
  });
});

test('the AwsSolutions rules of cdk-nag: no finding that is not acknowledged with its reason', () => {
  expect(() => checkFindings(app => new LongStepStack(app, 'LongStep'))).not.toThrow();
});
