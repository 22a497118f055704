import { wordCount } from './rules';
import type { Sentence } from './sentences';

/** How a text reads, in figures. */
export interface Figures {
  readonly words: number;
  readonly wordsPerSentence: number;
  /** Share of the sentences with more than 30 words, in percent. */
  readonly longSentences: number;
  /** How often each kind of word occurs in 1,000 words. */
  readonly perThousand: Readonly<Record<string, number>>;
}

const KINDS: Readonly<Record<string, RegExp>> = {
  if: /\bif\b/gi,
  'Where …,': /^Where\b[^?]*,/g,
  because: /\bbecause\b/gi,
  'nobody, somebody, whoever': /\b(?:nobody|somebody|whoever)\b/gi,
  'must, should, can': /\b(?:must|should|can|cannot)\b/gi,
};

/** The figures of the counted sentences: paragraphs and items of lists, tables and code left out. */
export function figuresOf(sentences: readonly Sentence[]): Figures {
  const texts = sentences.filter(({ isCounted }) => isCounted).map(({ text }) => text);
  const counts = texts.map(wordCount).filter(count => count > 0);
  const words = counts.reduce((sum, count) => sum + count, 0);
  const perThousand = Object.entries(KINDS).map(([kind, pattern]) => {
    const found = texts.reduce((sum, text) => sum + (text.match(pattern)?.length ?? 0), 0);
    return [kind, (1000 * found) / Math.max(1, words)];
  });
  return {
    words,
    wordsPerSentence: words / Math.max(1, counts.length),
    longSentences: (100 * counts.filter(count => count > 30).length) / Math.max(1, counts.length),
    perThousand: Object.fromEntries(perThousand),
  };
}
