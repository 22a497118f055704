/** What may stand before a `/` that begins a regular expression; after a value it is a division. */
const BEFORE_REGULAR_EXPRESSION =
  /(?:^|[=(,:;!&|?{}[+\-*%<>~^]|\b(?:return|case|typeof|of|in|yield|await|void))$/;

/**
 * A source text with comments and the contents of strings, templates and regular expressions replaced by
 * spaces.
 *
 * Offsets and line breaks stay, so a match in the result has its place in the original; delimiters stay too,
 * and so does the code inside `${}`. A tokenizer of this size is enough because the formatter settles
 * everything else.
 */
export function blankCommentsAndStrings(text: string): string {
  let result = '';
  let at = 0;
  /** For each open `${`: how many braces are open inside it. */
  const templates: number[] = [];
  const copy = (length: number): void => {
    result += text.slice(at, at + length);
    at += length;
  };
  const blank = (end: number): void => {
    result += text.slice(at, end).replace(/[^\n]/g, ' ');
    at = end;
  };
  const templateText = (): void => {
    blank(endOfTemplateText(text, at));
    if (text.startsWith('${', at)) {
      copy(2);
      templates.push(0);
    } else copy(1);
  };
  while (at < text.length) {
    const character = text[at] ?? '';
    if (text.startsWith('//', at)) blank(indexOrEnd(text, '\n', at));
    else if (text.startsWith('/*', at)) blank(indexOrEnd(text, '*/', at + 2) + 2);
    else if (character === "'" || character === '"') {
      copy(1);
      blank(endOfString(text, at, character));
      copy(1);
    } else if (character === '`') {
      copy(1);
      templateText();
    } else if (character === '/' && BEFORE_REGULAR_EXPRESSION.test(result.trimEnd().slice(-10))) {
      copy(1);
      blank(endOfRegularExpression(text, at));
      copy(1);
    } else {
      copy(1);
      const depth = templates.at(-1);
      if (depth === undefined) continue;
      if (character === '{') templates[templates.length - 1] = depth + 1;
      if (character === '}' && depth > 0) templates[templates.length - 1] = depth - 1;
      if (character === '}' && depth === 0) {
        templates.pop();
        templateText();
      }
    }
  }
  return result;
}

function indexOrEnd(text: string, wanted: string, from: number): number {
  const index = text.indexOf(wanted, from);
  return index < 0 ? text.length : index;
}

function endOfString(text: string, from: number, quote: string): number {
  let at = from;
  while (at < text.length && text[at] !== quote && text[at] !== '\n') at += text[at] === '\\' ? 2 : 1;
  return at;
}

function endOfTemplateText(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== '`' && !text.startsWith('${', at)) at += text[at] === '\\' ? 2 : 1;
  return at;
}

function endOfRegularExpression(text: string, from: number): number {
  let at = from;
  let inClass = false;
  while (at < text.length && text[at] !== '\n' && (inClass || text[at] !== '/')) {
    if (text[at] === '[') inClass = true;
    if (text[at] === ']') inClass = false;
    at += text[at] === '\\' ? 2 : 1;
  }
  return at;
}
