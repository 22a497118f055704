/** Shows how far a long piece of work has come, on one stream. */
export interface Progress {
  /** The current work, if its amount is unknown. */
  begin(what: string): void;
  /** `done` of `total` pieces are done; on a terminal a bar. */
  show(what: string, done: number, total: number): void;
  /** Wipes what is shown: in the end, and before something else is written. Nothing is shown until the next call. */
  clear(): void;
}

const BAR_LENGTH = 30;
/** At most so often, in milliseconds: drawing must not slow down what it shows. */
const REDRAW_MS = 50;
/** How long a log goes without a word, in milliseconds. */
const LINE_EVERY_MS = 10_000;
const WIPE = '\r\u001b[2K';

type Output = Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns'>;

/**
 * Progress on this stream: drawn in place on a terminal; elsewhere, as in logs, one line every ten seconds, so that
 * short work leaves nothing there; none if `isSilent`.
 */
export function progressOn(stream: Output, { isSilent }: { readonly isSilent: boolean }): Progress {
  if (isSilent) {
    const nothing = () => undefined;
    return { begin: nothing, show: nothing, clear: nothing };
  }
  return stream.isTTY ? drawn(stream) : written(stream);
}

function drawn(stream: Output): Progress {
  let text = '';
  let drawnAt = Number.NEGATIVE_INFINITY;
  const draw = (isDue: boolean) => {
    const now = performance.now();
    if (!isDue && now - drawnAt < REDRAW_MS) return;
    drawnAt = now;
    // A line that is broken could not be wiped.
    stream.write(`${WIPE}${text.slice(0, (stream.columns || 80) - 1)}`);
  };
  return {
    begin(what) {
      const isNew = text === '';
      text = what;
      draw(isNew);
    },
    show(what, done, total) {
      const filled = total === 0 ? BAR_LENGTH : Math.round((BAR_LENGTH * done) / total);
      text = `${what} ${'█'.repeat(filled)}${'░'.repeat(BAR_LENGTH - filled)} ${done}/${total}`;
      draw(done >= total);
    },
    clear() {
      text = '';
      draw(true);
    },
  };
}

function written(stream: Output): Progress {
  const began = performance.now();
  let text = '';
  let writtenAt = began;
  const write = () => {
    const now = performance.now();
    if (now - writtenAt < LINE_EVERY_MS) return;
    writtenAt = now;
    stream.write(`${text} (${Math.round((now - began) / 1000)} s)\n`);
  };
  // The timer is for work that says nothing for long, the calls are for work that lets no timer run.
  let timer: NodeJS.Timeout | undefined;
  const say = (words: string) => {
    text = words;
    timer ??= setInterval(write, LINE_EVERY_MS).unref();
    write();
  };
  return {
    begin: say,
    show: (what, done, total) => say(`${what}: ${done} of ${total}`),
    clear() {
      clearInterval(timer);
      timer = undefined;
    },
  };
}
