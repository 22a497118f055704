import { field } from './contenders/contenders';
import type { Outcome } from './judge';
import { type Score, type Selection, scoreOf } from './league';
import type { Schedule } from './schedule';
import { replay } from './shorten';
import type { Step } from './world/play';

/** What a child process is asked: a score, or what one schedule comes to. */
export type Asked = { readonly contender: string } & (
  | { readonly kind: 'score'; readonly selection: Selection }
  | { readonly kind: 'replay'; readonly schedule: Schedule }
);

/** What it says: how far it is, and in the end what came of it. */
export type Said =
  | { readonly kind: 'progress'; readonly done: number; readonly total: number }
  | { readonly kind: 'score'; readonly score: Score }
  | { readonly kind: 'replay'; readonly outcome: Outcome; readonly steps: readonly Step[] }
  | { readonly kind: 'failed'; readonly reason: string };

const tell = (said: Said) => process.send?.(said);

process.once('message', (asked: Asked) => {
  void answer(asked)
    .then(tell, error =>
      tell({ kind: 'failed', reason: error instanceof Error ? (error.stack ?? '') : String(error) }),
    )
    .finally(() => process.disconnect());
});

async function answer(asked: Asked): Promise<Said> {
  const { contenders } = await field();
  const contender = contenders.find(({ id }) => id === asked.contender);
  if (contender === undefined) throw new Error(`there is no contender ${asked.contender}`);
  if (asked.kind === 'replay') {
    const { outcome, steps } = await replay(contender, asked.schedule);
    return { kind: 'replay', outcome, steps };
  }
  const onProgress = (done: number, total: number) => tell({ kind: 'progress', done, total });
  return { kind: 'score', score: await scoreOf(contender, asked.selection, onProgress) };
}
