import { FunctionValue } from './callables';
import { GIVE_UP } from './run';

/** Many copies of a longer replacement might not fit into memory. */
const REPLACEMENT_CHARACTERS_MAX = 100;

/** Work that replacing one match is worth. */
const MATCH_WORK = 20;

/** A regular expression between slashes. It can only be passed to a function. */
export class Pattern extends FunctionValue {
  readonly _jsonata_function = true;
  readonly #source: RegExp;
  readonly #choices: Choices | undefined;

  constructor(source: RegExp) {
    super();
    this.#source = source;
    this.#choices = choicesIn(source);
  }

  /**
   * The most ways that a search of a text of this length can try before it fails. `Infinity` if no power of the length
   * is known to bound them.
   */
  waysIn(length: number): number {
    if (!this.#choices) return Number.POSITIVE_INFINITY;
    const { repetitions, alternatives, times } = this.#choices;
    return Math.max(length, 1) ** repetitions * 2 ** alternatives * times;
  }

  /** Whether the text contains a match. */
  isIn(text: string): boolean {
    return new RegExp(this.#source).exec(text) !== null;
  }

  /**
   * The text with each match replaced. Gives up on an empty match, which might be an error, and on every `$` that does
   * not name a group by one digit. `spend` counts the work of each match.
   */
  replacedIn(text: string, replacement: string, spend: (work: number) => void): string {
    if (replacement.length > REPLACEMENT_CHARACTERS_MAX || /\$(?![1-9])/.test(replacement)) throw GIVE_UP;
    return text.replace(this.#source, (found, ...more) => {
      const groups = more.slice(
        0,
        more.findIndex(each => typeof each === 'number'),
      );
      if (found === '' || groups.length > 9) throw GIVE_UP;
      spend(MATCH_WORK + replacement.length);
      return replacement.replace(/\$([1-9])/g, (_, group) => groups[Number(group) - 1] ?? '');
    });
  }
}

/** The choices that a pattern leaves to a search. */
interface Choices {
  /** Repetitions without a fixed number, and one more if a match can begin anywhere. */
  readonly repetitions: number;
  /** Alternatives and optional parts: each doubles the ways. */
  readonly alternatives: number;
  /** How much longer a step takes because of the pattern's own length. */
  readonly times: number;
}

/** So many characters of a pattern are compared in the time of a step. */
const CHARACTERS_OF_A_STEP = 4;

const TOKEN =
  /\\(?<escaped>.)|(?<set>\[(?:\\.|[^\]\\])*\])|(?<opens>\((?:\?(?:[:=!]|<[=!]|<\w+>))?)|(?<closes>\))|(?<or>\|)|(?<repeat>(?:[*+]|\{\d+,\d*\})\??)|(?<maybe>\?\??)|(?<times>\{\d+\})|(?<character>.)/gs;

/** Undefined if a repetition contains other choices, which would multiply, and for a reference to a group. */
function choicesIn({ source, multiline }: RegExp): Choices | undefined {
  const tokens = [...source.matchAll(TOKEN)].map(({ groups = {} }) => groups);
  let alternatives = 0;
  let repetitions = 0;
  let characters = 0;
  let depth = 0;
  let isAnchored = source.startsWith('^') && !multiline;
  for (const [index, { escaped, opens, closes, or, repeat, maybe, times }] of tokens.entries()) {
    if (escaped !== undefined && /[1-9k]/.test(escaped)) return undefined;
    if (opens !== undefined) depth += 1;
    if (closes !== undefined) depth -= 1;
    if (or !== undefined && depth === 0) isAnchored = false;
    if (or !== undefined || maybe !== undefined) alternatives += 1;
    if (repeat !== undefined) repetitions += 1;
    characters += Number(/\d+/.exec(repeat ?? times ?? '')?.[0] ?? 1);
    const isOfGroup = tokens[index - 1]?.['closes'] !== undefined;
    if ((repeat !== undefined || times !== undefined) && isOfGroup) return undefined;
  }
  const stepsOfCharacters = Math.max(1, characters / CHARACTERS_OF_A_STEP);
  return { repetitions: repetitions + (isAnchored ? 0 : 1), alternatives, times: stepsOfCharacters };
}
