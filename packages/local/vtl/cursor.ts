/** Why a text is no template, in words with the line. */
export class SyntaxProblem extends Error {
  override readonly name = 'SyntaxProblem';
}

/** A place in a text that is read from its beginning to its end. */
export class Cursor {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** What a sticky expression fits here, which is passed then; undefined where it does not. */
  take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.at;
    const match = expression.exec(this.text) ?? undefined;
    if (match) this.at = expression.lastIndex;
    return match;
  }

  /** Passes what has to be here. @throws SyntaxProblem where it is not */
  expect(expression: RegExp, what: string): RegExpExecArray {
    return this.take(expression) ?? this.fail(`${what} is missing`);
  }

  /** @throws SyntaxProblem with the line */
  fail(message: string): never {
    const line = this.text.slice(0, this.at).split('\n').length;
    throw new SyntaxProblem(`${message} in line ${line}`);
  }
}
