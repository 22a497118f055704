/** State that is not as it was written any more: every problem found, by name. */
export class DamagedState extends Error {
  override readonly name = 'DamagedState';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('; '));
    this.problems = problems;
  }
}

/** Reads a database. @throws DamagedState if the database reports that it cannot be read */
export async function withDamageErrors<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    const { code, cause, message } = error as NodeJS.ErrnoException & {
      readonly cause?: { readonly code?: string };
    };
    if (!(code ?? cause?.code ?? '').startsWith('LEVEL_')) throw error;
    throw new DamagedState([`the log cannot be read: ${message}`]);
  }
}
