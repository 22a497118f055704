import { AsyncDisposableStack } from '../async-disposable-stack';

describe('AsyncDisposableStack', () => {
  test('disposed of: last in, first out, one after another, and once', async () => {
    const stack = new AsyncDisposableStack();
    const closed: string[] = [];
    stack.defer(() => void closed.push('first'));
    const adopted = stack.adopt('second', async value => {
      await new Promise(resolve => setImmediate(resolve));
      closed.push(value);
    });

    await stack.disposeAsync();
    await stack.disposeAsync();

    expect(adopted).toBe('second');
    expect(closed).toEqual(['second', 'first']);
  });

  test('closing one fails: the others are closed, then it is thrown', async () => {
    const stack = new AsyncDisposableStack();
    const closed: string[] = [];
    stack.defer(() => void closed.push('first'));
    stack.defer(() => Promise.reject(new Error('stuck')));

    await expect(stack.disposeAsync()).rejects.toThrow('stuck');
    expect(closed).toEqual(['first']);
  });
});
