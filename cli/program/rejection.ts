import { withoutSecrets } from './address';
import { EXIT } from './exit';

/**
 * Something that was asked for cannot be done. The message is for a person: what is the matter, and what to do; never a
 * payload, and no password of an address.
 */
export class Rejection extends Error {
  override readonly name = 'Rejection';
  readonly code: number;
  /** For scripts, what `--json` prints: the `message`, and what else is known. */
  readonly json: object;

  constructor(
    message: string,
    code: number = EXIT.failed,
    { json, ...options }: ErrorOptions & { readonly json?: object } = {},
  ) {
    super(withoutSecrets(message), options);
    this.code = code;
    this.json = { message: this.message, ...json };
  }
}

/** A command line that cannot be understood. */
export function usage(message: string): Rejection {
  return new Rejection(message, EXIT.usage);
}

/** Rejects options that both select something, such as `what to run`. @throws Rejection if two are given */
export function requireAtMostOne<Name extends string>(
  values: Readonly<Partial<Record<Name, string>>>,
  names: readonly Name[],
  what: string,
): void {
  const [one, two] = names.filter(name => values[name] !== undefined);
  if (two !== undefined) throw usage(`--${one} and --${two} both select ${what}; pass only one of them`);
}
