import ts from 'typescript';

/** One small change of a source file: the text from `start` to `end` becomes `text`. */
export interface Change {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Every small change that a source file allows, in the order of its text. A change inverts an operator, a number, a
 * boolean or a condition inside an expression of Step Functions, or removes a statement, an element or a member. Types,
 * imports, comments and sentences stay as they are, because no behavior depends on them.
 *
 * @example
 * changesOf('state.ts', 'export const isDue = now >= at;')
 * // [{ kind: 'operator', start: 25, end: 27, text: '<' }]
 */
export function changesOf(fileName: string, source: string): readonly Change[] {
  const file = ts.createSourceFile(fileName, source, ts.ScriptTarget.Latest, true);
  const changes: Change[] = [];
  visit(file);
  return changes.toSorted((one, other) => one.start - other.start);

  function visit(node: ts.Node): void {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || isSentence(node)) return;
    changes.push(...ofNode(file, node));
    ts.forEachChild(node, visit);
  }
}

/** The source after a change. */
export function changed(source: string, { start, end, text }: Change): string {
  return source.slice(0, start) + text + source.slice(end);
}

const OPERATORS: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+': '-',
  '-': '+',
  '*': '+',
};

/** What conditions of JSONata and of DynamoDB are made of. */
const IN_EXPRESSIONS: readonly (readonly [string, string])[] = [
  [' and ', ' or '],
  [' or ', ' and '],
  [' AND ', ' OR '],
  [' OR ', ' AND '],
  [' = ', ' != '],
  [' != ', ' = '],
  [' < ', ' >= '],
  [' > ', ' <= '],
  [' <= ', ' > '],
  [' >= ', ' < '],
  [' <> ', ' = '],
  ['attribute_not_exists', 'attribute_exists'],
  ['$not(', '('],
];

function ofNode(file: ts.SourceFile, node: ts.Node): Change[] {
  const whole = (kind: string, text: string): Change => {
    return { kind, start: node.getStart(file), end: node.getEnd(), text };
  };
  if (ts.isBinaryExpression(node)) {
    const text = OPERATORS[node.operatorToken.getText(file)];
    const { operatorToken: operator } = node;
    return text === undefined
      ? []
      : [{ kind: 'operator', start: operator.getStart(file), end: operator.getEnd(), text }];
  }
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
    return [whole('negation', node.operand.getText(file))];
  }
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [whole('boolean', 'false')];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [whole('boolean', 'true')];
  if (ts.isNumericLiteral(node)) return [whole('number', `(${node.getText(file)} + 1)`)];
  if (isText(node)) return inExpression(file, node);
  if (ts.isExpressionStatement(node)) return [whole('statement', ';')];
  if (ts.isIfStatement(node) && !node.elseStatement) return [whole('statement', ';')];
  if (ts.isArrayLiteralExpression(node)) return without('element', file, node.elements);
  if (ts.isObjectLiteralExpression(node)) return without('member', file, node.properties);
  return [];
}

/** The first condition in a text of Step Functions or DynamoDB. */
function inExpression(file: ts.SourceFile, node: ts.Node): Change[] {
  const text = node.getText(file);
  if (!/[$#]|attribute_/.test(text)) return [];
  return IN_EXPRESSIONS.flatMap(([from, to]) => {
    const at = text.indexOf(from);
    const start = node.getStart(file) + at;
    return at < 0 ? [] : [{ kind: 'expression', start, end: start + from.length, text: to }];
  });
}

function without(kind: string, file: ts.SourceFile, nodes: ts.NodeArray<ts.Node>): Change[] {
  return nodes
    .filter(node => !isSentence(node))
    .map(node => {
      const end = node.getEnd();
      return { kind, start: node.getStart(file), end: file.text[end] === ',' ? end + 1 : end, text: '' };
    });
}

function isText(node: ts.Node): boolean {
  return (
    ts.isStringLiteral(node) ||
    ts.isNoSubstitutionTemplateLiteral(node) ||
    [ts.SyntaxKind.TemplateHead, ts.SyntaxKind.TemplateMiddle, ts.SyntaxKind.TemplateTail].includes(node.kind)
  );
}

/** Members that only readers read. */
const SENTENCES = ['Comment', 'Cause', 'comment', 'cause', 'description', 'message', 'says'];

function isSentence(node: ts.Node): boolean {
  return ts.isPropertyAssignment(node) && SENTENCES.includes(node.name.getText());
}
