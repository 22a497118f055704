/** Text of others, safe for a terminal: what would move the cursor or change its colours is written out. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}|\p{Cf}|[\u2028\u2029]/gu, character => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** How many columns of a terminal a text takes: two for Chinese characters, emoji and the like, none for marks. */
export function columnsOf(text: string): number {
  return Array.from(text).reduce((sum, character) => sum + columnsOfOne(character), 0);
}

function columnsOfOne(character: string): number {
  if (MARK.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

const MARK = /\p{Mn}|\p{Me}/u;
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

/** As much of the beginning of a text as has room in so many columns. */
export function fitting(text: string, columns: number): string {
  let room = columns;
  const characters = Array.from(text);
  const end = characters.findIndex(character => {
    room -= columnsOfOne(character);
    return room < 0;
  });
  return end === -1 ? text : characters.slice(0, end).join('');
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
