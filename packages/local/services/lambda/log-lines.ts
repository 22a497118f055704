/** Lambda cuts a log event here; a line that never ends must not fill the memory either. In characters. */
const LINE_CHARACTERS_MAX = 262_144;

/** Turns pieces of output into lines. */
export interface LineSplitter {
  write(text: string): void;
  /** Ends the line that has begun, if one has. */
  flush(): void;
}

/**
 * Calls `emit` for each whole line, without its line break; a line that grows too long is cut into several.
 */
export function createLineSplitter(emit: (line: string) => void): LineSplitter {
  let begun = '';

  function flush(): void {
    if (begun === '') return;
    emit(begun);
    begun = '';
  }

  function write(text: string): void {
    const [first = '', ...others] = text.split('\n');
    begun += first;
    for (const line of others) {
      emit(begun.endsWith('\r') ? begun.slice(0, -1) : begun);
      begun = line;
    }
    while (begun.length > LINE_CHARACTERS_MAX) {
      emit(begun.slice(0, LINE_CHARACTERS_MAX));
      begun = begun.slice(LINE_CHARACTERS_MAX);
    }
  }

  return { write, flush };
}
