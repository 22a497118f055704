import { NotAtOnce, TemplateError } from './template-error';

/** API Gateway passes no larger body on, and answers none. */
export const CHARACTERS_MAX = 10 * 1024 * 1024;

/** Pieces, values and items of lists that one evaluation may come to. */
const STEPS_MAX = 100_000;

/** Characters of all texts that one evaluation may make: they have to fit into the memory of its thread. */
const MADE_MAX = 2 ** 27;

/** What can be evaluated within some ten milliseconds, which everybody else can wait for. */
const STEPS_AT_ONCE = 10_000;
const CHARACTERS_AT_ONCE = 500_000;

/**
 * What one evaluation has taken so far. Of `atOnce`, what is too much for the thread that answers everybody is a
 * `NotAtOnce`: whether it is depends on the template and its variables alone, and not on the time that it takes.
 */
export class Usage {
  readonly #isAtOnce: boolean;
  #steps = 0;
  #made = 0;
  #read = 0;

  constructor(kind: 'atOnce' | 'whole') {
    this.#isAtOnce = kind === 'atOnce';
  }

  /** Counts pieces and values, or items of a list that is made. @throws TemplateError beyond the bound */
  step(count = 1): void {
    this.#steps += count;
    if (this.#isAtOnce && this.#steps > STEPS_AT_ONCE) throw new NotAtOnce();
    if (this.#steps > STEPS_MAX) throw new TemplateError(`it takes more than ${STEPS_MAX} steps`);
  }

  /** Counts a text before it is made; `added` characters of it are new. @throws TemplateError beyond the bounds */
  make(characters: number, added = characters): void {
    this.read(added);
    if (characters > CHARACTERS_MAX) throw new TemplateError('a text in it is longer than 10 MB');
    this.#made += added;
    if (this.#made > MADE_MAX) throw new TemplateError(`it makes texts of more than ${MADE_MAX} characters`);
  }

  /** Counts what takes only time, in characters or items: of that a thread of its own has a second. */
  read(count: number): void {
    this.#read += count;
    if (this.#isAtOnce && this.#read > CHARACTERS_AT_ONCE) throw new NotAtOnce();
  }

  /** To be called before something that may take any time, whatever its size. */
  search(): void {
    if (this.#isAtOnce) throw new NotAtOnce();
  }
}
