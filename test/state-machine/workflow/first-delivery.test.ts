import { readFileSync } from 'node:fs';
import path from 'node:path';

interface State {
  readonly Choices?: readonly { readonly Condition: string }[];
}

describe("AWS's texts", () => {
  test.each([
    ['payload-and-retention', []],
    // A missing permission of Lambda has no error name of its own.
    ['waits-at-most-once', ['Is the outcome certain?']],
  ])('%s: no state decides by them, except by a permission that is missing', (golden, deciding) => {
    const file = path.join(__dirname, `../../golden/${golden}.asl.json`);
    const { States } = JSON.parse(readFileSync(file, 'utf8')) as { readonly States: Record<string, State> };
    // Variables that hold such a text, and the conditions that read one of them.
    const found = JSON.stringify(States).matchAll(/"(\w+)":"\{% [^"]*\$states\.errorOutput(?:\.Cause|;)/g);
    const names = [...new Set([...found].map(([, name = '']) => name))];
    const readers = Object.entries(States).flatMap(([state, { Choices = [] }]) =>
      Choices.filter(({ Condition }) => names.some(name => Condition.includes(`$${name}`))).map(() => state),
    );

    expect(names.sort()).toEqual(['evaluationError', 'failure', 'serviceError']);
    expect([...new Set(readers)]).toEqual(deciding);
  });
});
