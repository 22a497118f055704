/** The most words that a sentence may have. */
const SENTENCE_WORDS_MAX = 35;

interface Ban {
  readonly pattern: RegExp;
  readonly instead: string;
}

/** Words and constructions that CONTRIBUTING.md's style guide bans. */
const BANS: readonly Ban[] = [
  { pattern: /\b(?:nobody|somebody|whoever|anybody|someone else|no one(?!-))\b/i, instead: 'name the actor' },
  { pattern: /^Where\b(?!.*\?$).*,/, instead: 'write "If …"' },
  { pattern: /, where (?:it|they|there|no|nothing|one|that|this)\b/, instead: 'write "if …"' },
  {
    pattern: /^(?:What|Who) (?:is|are|has|was|cannot|does|comes|goes|stays|needs)\b[^?]*[.:]$/,
    instead: 'begin with a noun',
  },
  {
    pattern: /\b(?:for|of|rejects?) (?:what|whatever) (?:is|are|was|were|cannot|no|has|nobody)\b/i,
    instead: 'name the value: "for a value that …"',
  },
  { pattern: /\bmend(?:s|ed|ing)?\b/i, instead: 'write "fix"' },
  { pattern: /\b(?:is|are|was|were) told\b/i, instead: 'write "is notified", "gets" or "reports"' },
  { pattern: /(?<!\bthere )\bis no (?!longer\b|more\b)/i, instead: 'write "is not a …"' },
  { pattern: /\bbrought (?:back|to (?:its|their) end)\b/i, instead: 'write "resumed" or "completed"' },
  { pattern: /\bhas its end\b/i, instead: 'write "completed"' },
  { pattern: /\bdead (?:owner|execution)s?\b|\bdie[sd]\b/i, instead: 'write "ended" or "interrupted"' },
  {
    pattern: /\b(?:has|have|is|are) to (?:be|have|do|say|give|take|stay|come|know)\b/i,
    instead: 'write "must"',
  },
  { pattern: /\b(?:but for|all but)\b/i, instead: 'write "except"' },
  { pattern: /\bby itself\b/i, instead: 'write "automatically"' },
  { pattern: /\bbehaviour\b|\blicence\b|\bcolour\b/i, instead: 'use American spelling' },
];

/**
 * What a sentence breaks of the style guide, one message for each; none is the good case.
 *
 * @example breaches('Nobody knows.') // ['`Nobody`: name the actor']
 */
export function breaches(sentence: string): string[] {
  const words = wordCount(sentence);
  const long = words > SENTENCE_WORDS_MAX ? [`${words} words: at most ${SENTENCE_WORDS_MAX}, split it`] : [];
  return [...bannedIn(sentence), ...long];
}

/** The same for a text that can be a part of a sentence, or several: of any length. */
export function bannedIn(text: string): string[] {
  return BANS.flatMap(({ pattern, instead }) => {
    const found = pattern.exec(text);
    return found ? [`\`${found[0].slice(0, 60)}\`: ${instead}`] : [];
  });
}

/** The number of words of a text. */
export function wordCount(text: string): number {
  return text.match(/[\p{L}\p{N}$€][^\s]*/gu)?.length ?? 0;
}
