/** How text is to look where it is read. */
export interface Look {
  /** Characters per line; infinite where nobody counts them, as in a file. */
  readonly width: number;
  readonly isColoured: boolean;
}

/** The look of a stream: as wide as its terminal, and coloured only on one that wants colours. */
export function lookOf(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Look {
  const isColoured = stream.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  const width = stream.isTTY === true ? Math.max(stream.columns ?? 80, WIDTH_MIN) : Number.POSITIVE_INFINITY;
  return { width, isColoured };
}

/** Narrower than this nothing can be read. */
const WIDTH_MIN = 40;

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const;

/** The text in a colour, where colours are wanted. */
export function painted(look: Look, colour: keyof typeof CODES | undefined, text: string): string {
  return look.isColoured && colour !== undefined ? `\u001b[${CODES[colour]}m${text}\u001b[0m` : text;
}

/** The colour of a record's or an execution's status. */
export function colourOf(status: string): keyof typeof CODES | undefined {
  if (status === 'COMPLETED' || status === 'SUCCEEDED') return 'green';
  if (status === 'IN_PROGRESS' || status === 'RUNNING' || status === 'PENDING_REDRIVE') return 'yellow';
  return /^(?:FAILED|ABORTED|TIMED_OUT)/.test(status) ? 'red' : undefined;
}
