/** Levels of nested arrays and objects that the service's parser reads (Jackson's bound). */
export const JSON_DEPTH_MAX = 1000;

/**
 * Index of the character that opens one level more than `max`, or undefined if there is none. `text` should be JSON; of
 * any other text it says whether reading it could go too deep.
 */
export function tooDeepAt(text: string, max = JSON_DEPTH_MAX): number | undefined {
  // Each level takes two characters, so most texts are decided by their length alone.
  if (text.length <= max * 2) return undefined;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        depth += 1;
        if (depth > max) return at;
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        depth -= 1;
        break;
    }
  }
  return undefined;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Index of the quotation mark that ends the string beginning at `start`, or of the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
  return text.length;
}
