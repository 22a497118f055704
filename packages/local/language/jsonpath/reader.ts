/** A text that is not a path, filter or intrinsic function; the reason is in the message. */
export class NotReadable extends Error {}

/** A text and the place up to which it has been read. */
export class Reader {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** The character that comes next, empty at the end. */
  get next(): string {
    return this.text.charAt(this.at);
  }

  /** Reads `token` if it comes next. */
  takes(token: string): boolean {
    if (!this.text.startsWith(token, this.at)) return false;
    this.at += token.length;
    return true;
  }

  /** Reads what a sticky pattern matches here, undefined where it matches nothing. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text) ?? undefined;
    if (found) this.at = pattern.lastIndex;
    return found;
  }

  /** The text of what a sticky pattern matches here, empty where it matches nothing. */
  match(pattern: RegExp): string {
    return this.take(pattern)?.[0] ?? '';
  }

  skipSpace(): void {
    this.match(SPACE);
  }

  /** @throws NotReadable unless `token` comes next */
  expect(token: string): void {
    if (!this.takes(token)) throw this.unexpected(`expected '${token}'`);
  }

  /**
   * Reads a text in single or double quotation marks, in which a backslash makes the next character stand for itself.
   *
   * @throws NotReadable where there is none
   */
  quoted(): string {
    const quoted = this.match(QUOTED);
    if (quoted === '') throw this.unexpected('expected a text in quotes');
    return quoted.slice(1, -1).replaceAll(/\\([\s\S])/g, '$1');
  }

  /** What to throw where the text cannot go on like this. */
  unexpected(problem: string): NotReadable {
    const found = this.isAtEnd ? 'the text ends' : `found '${this.next}'`;
    return new NotReadable(`${problem}, ${found} at position ${this.at + 1}`);
  }
}

const SPACE = /\s*/y;
const QUOTED = /'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"/y;
