import { HOUR, MINUTE, type Studio } from './studio';
import type { Job } from './worker';

/** What became of a film. */
export interface Row {
  readonly what: string;
  readonly hours: number;
  readonly attempts: number;
  readonly publications: number;
  /** Workers that published, or told of their success, when it was not theirs to do any more. */
  readonly rejected: number;
  readonly isRight: boolean;
}

/** What there is to see of a film, in the order in which it happens. */
interface Act {
  readonly what: string;
  /** Lets it happen; resolves to how often a worker was rejected. */
  play(studio: Studio, film: string): Promise<number>;
  readonly attempts: number;
}

/** A silent worker is missed after ten minutes, has certainly ended after five, and is replaced after one. */
const REPLACED_AFTER = 16 * MINUTE;
/** An execution is redriven when its worker has certainly ended; its next job waits for a worker for ten minutes. */
const REDRIVEN_AFTER = 10 * MINUTE;

const ACTS: readonly Act[] = [
  {
    what: 'five hours of work with heartbeats',
    attempts: 1,
    play: async (studio, film) => {
      const job = await begun(studio, film);
      await studio.work(job, 5 * HOUR);
      return rejections(await studio.finish(job, `${film}, first cut`));
    },
  },
  {
    what: 'the worker stops after an hour',
    attempts: 2,
    play: async (studio, film) => {
      await studio.work(await begun(studio, film), HOUR);
      await studio.pass(REPLACED_AFTER);
      const next = await taken(studio);
      await studio.work(next, 2 * HOUR);
      return rejections(await studio.finish(next, `${film}, second cut`));
    },
  },
  {
    what: 'it hangs for an hour, and wakes up',
    attempts: 2,
    play: async (studio, film) => {
      const old = await begun(studio, film);
      await studio.pass(REPLACED_AFTER);
      const next = await taken(studio);
      await studio.work(next, HOUR);
      const late = await studio.finish(old, `${film}, late cut`);
      return rejections(late) + rejections(await studio.finish(next, `${film}, second cut`));
    },
  },
  {
    what: 'it publishes, and stops before it tells',
    attempts: 2,
    play: async (studio, film) => {
      await (await begun(studio, film)).publish(`${film}, first cut`);
      await studio.pass(REPLACED_AFTER);
      return rejections(await studio.finish(await taken(studio), `${film}, second cut`));
    },
  },
  {
    what: 'the execution is stopped, and redriven',
    attempts: 1,
    play: async (studio, film) => {
      const old = await begun(studio, film);
      await studio.stopOwner(film);
      await studio.pass(REDRIVEN_AFTER);
      const next = await taken(studio);
      const late = await studio.finish(old, `${film}, late cut`);
      return rejections(late) + rejections(await studio.finish(next, `${film}, second cut`));
    },
  },
];

/** Plays what may happen to films that take hours, one film after the other. */
export async function play(studio: Studio): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const [index, { what, attempts, play }] of ACTS.entries()) {
    const film = `film-${index + 1}`;
    const from = studio.stack.now();
    const rejected = await play(studio, film);
    const hours = (studio.stack.now() - from) / HOUR;
    const { publications } = await studio.filmOf(film);
    const record = await studio.recordOf(film);
    const isRight = publications === 1 && record?.status === 'COMPLETED' && record.attempt === attempts;
    rows.push({ what, hours, attempts: record?.attempt ?? 0, publications, rejected, isRight });
  }
  return rows;
}

async function begun(studio: Studio, film: string): Promise<Job> {
  await studio.order(film);
  return taken(studio);
}

async function taken(studio: Studio): Promise<Job> {
  const job = await studio.takeJob();
  if (job === undefined) throw new Error('no worker was asked');
  return job;
}

function rejections({ published, told }: { readonly published: boolean; readonly told: boolean }): number {
  return (published ? 0 : 1) + (told ? 0 : 1);
}
