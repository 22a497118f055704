import path from 'node:path';
import { autoBindSteps, loadFeature } from 'jest-cucumber';
import { type StepRunner, stackSteps } from '../../testing/gherkin';
import { startTestStack, type TestStack } from '../../testing/test-stack';
import { synthesizeShop } from './shop';

let assembly: string;
let stack: TestStack;
beforeAll(() => {
  assembly = synthesizeShop();
});
beforeEach(async () => {
  stack = await startTestStack({ assembly });
});
afterEach(() => stack.close());

autoBindSteps(loadFeature(path.join(__dirname, 'shop.feature')), [...stackSteps(() => stack)]);

describe('the steps without a runner', () => {
  /** What a sentence does; as a runner that passes on what its expression has found. */
  async function say(sentence: string, ...behind: string[]): Promise<unknown> {
    const meanings: (() => unknown)[] = [];
    const define: StepRunner['given'] = (expression, meaning) => {
      const [, ...found] = expression.exec(sentence) ?? [undefined, undefined];
      if (expression.test(sentence)) meanings.push(() => meaning(...(found as string[]), ...behind));
      // Cucumber asks for a parameter for each group, and one for what stands behind the sentence.
      const groups = new RegExp(`${expression.source}|`).exec('')?.length ?? 0;
      expect([groups - 1, groups]).toContain(meaning.length);
    };
    const runner = Object.fromEntries(['given', 'when', 'then'].map(word => [word, define]));
    for (const steps of stackSteps(() => stack)) steps(runner as unknown as StepRunner);
    expect(meanings).toHaveLength(1);
    return meanings[0]?.();
  }

  test.each([
    ['the same is delivered again', 'nothing has been delivered yet'],
    ['nothing is under way', 'nothing has happened yet'],
    ['"Ship" fails with E', 'no state is called "Ship"'],
    ['one execution of "Shop/Order" has run', 'near it: Shop/Orders'],
    ['"Charge" has been called once', 'Expected values to be strictly equal:\n\n0 !== 1'],
  ])('%s: fails where it is not so', async (sentence, message) => {
    await expect(say(sentence)).rejects.toThrow(message);
  });

  test('a call that no request can make, the answer of an invalid request: fails, though there was none', async () => {
    await say('"Orders/EachDay" fires');

    await expect(say('"Chrage" has been called no times')).rejects.toThrow('no state is called "Chrage"');
    await expect(say('the answer has status 201')).rejects.toThrow('must be a request of a REST API');
  });

  test('no JSON behind a sentence: says so, with the text', async () => {
    await expect(say('"Charge" is answered with:', '{ a')).rejects.toThrow(
      /not followed by valid JSON: .*\n\{ a/s,
    );
  });

  test('an execution that was not redriven, a fault that has not happened: told', async () => {
    await say('"Charge" never answers');
    await expect(say('every fault has happened')).rejects.toThrow('"Charge" never answers');
    await say('"Orders/EachDay" fires');
    await expect(say('an execution of "Orders/Report" has been redriven')).rejects.toThrow(
      'no execution of Orders/Report has been redriven',
    );
  });
});
