/** Shows how far a long piece of work has come; on a terminal only, so that logs and pipes stay clean. */
export interface Progress {
  /** A piece of work of unknown length has begun. */
  begin(what: string): void;
  /** `done` of `total` pieces are done. */
  show(what: string, done: number, total: number): void;
  /** Wipes the line. */
  end(): void;
}

const BAR_LENGTH = 30;
/** At most so often, in milliseconds: drawing must not slow down what it shows. */
const REDRAW_MS = 50;

/** Progress on this stream; silent where the stream is no terminal. */
export function progressOn(stream: NodeJS.WriteStream): Progress {
  if (!stream.isTTY) return { begin: () => undefined, show: () => undefined, end: () => undefined };
  let drawnAt = 0;
  const draw = (text: string) => stream.write(`\r\u001b[2K${text}`);
  return {
    begin: what => void draw(`${what} …`),
    show(what, done, total) {
      const now = Date.now();
      if (done < total && now - drawnAt < REDRAW_MS) return;
      drawnAt = now;
      const filled = total === 0 ? BAR_LENGTH : Math.round((BAR_LENGTH * done) / total);
      draw(`${what} ${'█'.repeat(filled)}${'░'.repeat(BAR_LENGTH - filled)} ${done}/${total}`);
    },
    end: () => void draw(''),
  };
}
