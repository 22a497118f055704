import { FunctionValue } from './callables';
import { GIVE_UP } from './run';

/** Of a longer one there may be so many that there is no room for them. */
const REPLACEMENT_CHARACTERS_MAX = 100;

/** A pattern between slashes. Functions take it; nothing else can be done with it here. */
export class Pattern extends FunctionValue {
  readonly _jsonata_function = true;
  readonly #source: RegExp;
  readonly #choices: Choices | undefined;

  constructor(source: RegExp) {
    super();
    this.#source = source;
    this.#choices = choicesIn(source.source);
  }

  /**
   * How many ways there are at most to look for it in a text of this length: what fails may be tried in each of them.
   * `Infinity` for a pattern of which that is not known to be bounded by a power of the length.
   */
  waysIn(length: number): number {
    if (!this.#choices) return Number.POSITIVE_INFINITY;
    const { repetitions, alternatives, times } = this.#choices;
    return Math.max(length, 1) ** repetitions * 2 ** alternatives * times;
  }

  /** Whether it is found in a text. */
  isIn(text: string): boolean {
    return new RegExp(this.#source).exec(text) !== null;
  }

  /**
   * The text with something else in place of what is found. Gives up where that is empty, which fails, and on all
   * that a `$` can mean but a group by one digit.
   */
  replacedIn(text: string, replacement: string): string {
    if (replacement.length > REPLACEMENT_CHARACTERS_MAX || /\$(?![1-9])/.test(replacement)) throw GIVE_UP;
    return text.replace(this.#source, (found, ...more) => {
      const groups = more.slice(
        0,
        more.findIndex(each => typeof each === 'number'),
      );
      if (found === '' || groups.length > 9) throw GIVE_UP;
      return replacement.replace(/\$([1-9])/g, (_, group) => groups[Number(group) - 1] ?? '');
    });
  }
}

/** What a pattern leaves open where it is looked for. */
interface Choices {
  /** What is repeated any number of times, and where it begins, if it may begin anywhere. */
  readonly repetitions: number;
  /** What is one of two: an alternative, or something that may be missing. */
  readonly alternatives: number;
  /** By how much a step takes longer as something has to be there many times in a row. */
  readonly times: number;
}

/** So many characters of a class in a row are gone through as fast as a step elsewhere. */
const TIMES_OF_A_STEP = 32;

const TOKEN =
  /\\(?<escaped>.)|(?<set>\[(?:\\.|[^\]\\])*\])|(?<opens>\((?:\?(?:[:=!]|<[=!]|<\w+>))?)|(?<closes>\))|(?<or>\|)|(?<repeat>(?:[*+]|\{\d+,\d*\})\??)|(?<maybe>\?\??)|(?<times>\{\d+\})|(?<character>.)/gs;

/** Undefined where the choices of one repetition multiply with those of another one around it. */
function choicesIn(source: string): Choices | undefined {
  const tokens = [...source.matchAll(TOKEN)].map(({ groups = {} }) => groups);
  let alternatives = 0;
  let repetitions = 0;
  let all = 1;
  let depth = 0;
  let isAnchored = source.startsWith('^');
  for (const [index, { escaped, opens, closes, or, repeat, maybe, times }] of tokens.entries()) {
    if (escaped !== undefined && /[1-9k]/.test(escaped)) return undefined;
    if (opens !== undefined) depth += 1;
    if (closes !== undefined) depth -= 1;
    if (or !== undefined && depth === 0) isAnchored = false;
    if (or !== undefined || maybe !== undefined) alternatives += 1;
    if (repeat !== undefined) repetitions += 1;
    all *= Math.max(1, Number(/\d+/.exec(repeat ?? times ?? '')?.[0] ?? 1) / TIMES_OF_A_STEP);
    const isOfGroup = tokens[index - 1]?.['closes'] !== undefined;
    if ((repeat !== undefined || times !== undefined) && isOfGroup) return undefined;
  }
  return { repetitions: repetitions + (isAnchored ? 0 : 1), alternatives, times: all };
}
