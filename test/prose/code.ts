import ts from 'typescript';

/** Prose of a source file: a comment, a tag of a docstring, the name of a test, or a message. */
export interface Passage {
  /** Line of the file on which it begins, from 1 on. */
  readonly line: number;
  /** Markdown, without the marks of a comment. */
  readonly text: string;
  /** A text of the program with several words. It can be a part of a sentence, or hold several. */
  readonly isMessage?: boolean;
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly kind: 'comment' | 'name' | 'message';
}

/** Fewer words are a name or a key more often than a message. */
const WORDS_OF_A_MESSAGE = /\S+(?:\s+\S+){3}/;

const TEST_CALLS = new Set(['describe', 'it', 'test']);
/** Directives of Biome, TypeScript, Jest and V8 are not sentences. */
const DIRECTIVE = /^(?:biome-ignore|@ts-|@jest-environment|v8 ignore|\/ <reference)/;
const TAG = /^@(?:param\s+[\w.]+|throws|returns|see|deprecated)\s+(?:-\s+)?/;

/**
 * The comments, docstrings, test names and messages of a source file, in their order. Code of `@example` is left out.
 * The texts of a test are data, except its names.
 *
 * @example proseOf('a.ts', '// One fact.') // [{ line: 1, text: 'One fact.' }]
 */
export function proseOf(path: string, source: string): Passage[] {
  const file = ts.createSourceFile(path, source, {
    languageVersion: ts.ScriptTarget.Latest,
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
  });
  const isTest = /(?:^|\/)test\/|\.test\.tsx?$/.test(path);
  return spansOf(file).flatMap(({ start, end, kind }) => {
    if (kind === 'message' && isTest) return [];
    const line = file.getLineAndCharacterOfPosition(start).line + 1;
    const text = source.slice(start, end);
    if (kind === 'message')
      return [{ line, text: text.slice(1, -1).replace(/\$\{[^}]*\}/g, 'X'), isMessage: true }];
    return kind === 'name' ? [{ line, text: text.slice(1, -1) }] : partsOf(text, line);
  });
}

function spansOf(file: ts.SourceFile): Span[] {
  const names: Span[] = [];
  const messages: Span[] = [];
  const literals: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isLiteralExpression(node) || ts.isTemplateMiddleOrTemplateTail(node) || isOpaque(node))
      literals.push(node);
    // As in quotes, whose place the marks around text of a page take.
    const edge = ts.isJsxText(node) ? 1 : 0;
    if (isMessage(node, file))
      messages.push({ start: node.getStart(file) - edge, end: node.end + edge, kind: 'message' });
    if (ts.isCallExpression(node)) names.push(...nameOf(node, file));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return [...commentsOf(file, literals), ...names, ...messages].sort((a, b) => a.start - b.start);
}

/** A text with words for a reader: not an expression of JSONata, which is text as well. */
function isMessage(node: ts.Node, file: ts.SourceFile): boolean {
  const isText = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || ts.isJsxText(node);
  const text = isText ? node.getText(file) : '';
  return WORDS_OF_A_MESSAGE.test(text) && !/^.(?:\{%|\(? ?\$[a-z])/.test(text);
}

const isOpaque = (node: ts.Node) => ts.isTemplateHead(node) || ts.isJsxText(node);

/** The name of `test('…')`, `describe.each(…)('…')` and their like. */
function nameOf(call: ts.CallExpression, file: ts.SourceFile): Span[] {
  let callee: ts.Node = call.expression;
  while (
    ts.isCallExpression(callee) ||
    ts.isPropertyAccessExpression(callee) ||
    ts.isTaggedTemplateExpression(callee)
  )
    callee = ts.isTaggedTemplateExpression(callee) ? callee.tag : callee.expression;
  const [name] = call.arguments;
  if (!(ts.isIdentifier(callee) && TEST_CALLS.has(callee.text) && name && ts.isStringLiteralLike(name)))
    return [];
  return [{ start: name.getStart(file), end: name.end, kind: 'name' }];
}

/** Comments stand outside of literals only, so two slashes there begin one. Lines of `//` below each other are one. */
function commentsOf(file: ts.SourceFile, literals: readonly ts.Node[]): Span[] {
  const { text } = file;
  const ends = new Map(literals.map(literal => [literal.getStart(file), literal.end]));
  const comments: Span[] = [];
  for (let at = 0; at < text.length; at++) {
    const literalEnd = ends.get(at);
    if (literalEnd !== undefined && literalEnd > at) at = literalEnd - 1;
    else if (text.startsWith('//', at) || text.startsWith('/*', at)) {
      const isLine = text.startsWith('//', at);
      const found = text.indexOf(isLine ? '\n' : '*/', at + 2);
      const end = found < 0 ? text.length : found + (isLine ? 0 : 2);
      const last = comments.at(-1);
      const goesOn =
        isLine && last && /^\n[ \t]*$/.test(text.slice(last.end, at)) && text.startsWith('//', last.start);
      const start = goesOn ? last.start : at;
      if (goesOn) comments.pop();
      comments.push({ start, end, kind: 'comment' });
      at = end - 1;
    }
  }
  return comments;
}

/** The text of a comment without marks, one part for itself and one for each tag that has words. */
function partsOf(comment: string, firstLine: number): Passage[] {
  const isBlock = comment.startsWith('/*');
  const lines = (isBlock ? comment.slice(2, -2) : comment)
    .split('\n')
    .map(line => line.replace(isBlock ? /^\s*\*+ ?/ : /^\s*\/\/ ?/, ''))
    .map(line => (DIRECTIVE.test(line.trim()) ? '' : line));
  const starts = [0, ...lines.flatMap((line, index) => (index > 0 && line.startsWith('@') ? [index] : []))];
  return starts
    .map((from, index) => ({
      line: firstLine + from,
      text: lines
        .slice(from, starts[index + 1])
        .join('\n')
        .trimEnd(),
    }))
    .filter(({ text }) => text.trim() !== '' && !text.trimStart().startsWith('@example'))
    .map(({ line, text }) => ({
      line,
      text: text.replace(TAG, '').replace(/\{@link(?:code)? ([^}]+)\}/g, '`$1`'),
    }));
}
