/** Text of others, safe for a terminal: what would move the cursor or change its colours is written out. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}|\p{Cf}|[\u2028\u2029]/gu, character => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** The beginning of a text, on one line, at most so many characters. */
export function shortened(text: string, charactersMax: number): string {
  const characters = Array.from(printable(text));
  return characters.length <= charactersMax
    ? characters.join('')
    : `${characters.slice(0, charactersMax - 1).join('')}…`;
}

/** An execution's name, which is shorter than its ARN and as good within one state machine. */
export function executionNameIn(executionArn: string): string {
  const parts = executionArn.split(':');
  return parts.length > 7 ? parts.slice(7).join(':') : executionArn;
}

/** How much of a cause, a result or an error is told within a sentence, in characters. */
export const QUOTED_MAX = 160;
