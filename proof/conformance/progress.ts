/** Shows how far a run has come, on a terminal only; `end` wipes the line. */
export interface Progress {
  show(done: number, total: number): void;
  end(): void;
}

/** At most so often, in milliseconds: drawing must not slow down what it shows. */
const REDRAW_MS = 50;

/** Progress on this stream; silent where the stream is no terminal. */
export function progressOn(stream: NodeJS.WriteStream): Progress {
  if (!stream.isTTY) return { show: () => undefined, end: () => undefined };
  let drawnAt = 0;
  const draw = (text: string) => stream.write(`\r\u001b[2K${text}`);
  return {
    show(done, total) {
      const now = Date.now();
      if (now - drawnAt < REDRAW_MS) return;
      drawnAt = now;
      draw(`${done} of ${total} cases`);
    },
    end: () => void draw(''),
  };
}
