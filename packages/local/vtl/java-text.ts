/** Characters that have an escape of one letter. */
const SHORT = new Map([
  ['\b', '\\b'],
  ['\n', '\\n'],
  ['\t', '\\t'],
  ['\f', '\\f'],
  ['\r', '\\r'],
  ["'", "\\'"],
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['/', '\\/'],
]);

/** Text as `StringEscapeUtils.escapeJavaScript` of Apache commons-lang 2 writes it: also `'` and `/` are escaped. */
export function escapeJavaScript(text: string): string {
  return text.replace(/['"\\/]|[^ -\x7f]/g, character => {
    const short = SHORT.get(character);
    if (short !== undefined) return short;
    return `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
  });
}

/** Text as `java.net.URLEncoder` writes it: a space is a plus, and `*` stays. */
export function urlEncode(text: string): string {
  const percent = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(Buffer.from(text, 'utf8').toString('utf8'))
    .replace(/[!'()~]/g, percent)
    .replaceAll('%20', '+');
}

/** The text that `urlEncode` made this of; undefined where it is none. */
export function urlDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
