import { closeAll, errorPayload, runCode } from './fixture';

afterEach(closeAll);

/** What the handler does, and what the caller gets: the parsed payload. */
const ANSWERS: readonly [title: string, code: string, payload: unknown][] = [
  ['async: its value', 'exports.handler = async event => ({ got: event.x })', { got: 7 }],
  ['async, undefined: null', 'exports.handler = async () => {}', null],
  ['async, a function: null', 'exports.handler = async () => () => 1', null],
  ['async, toJSON: what it says', 'exports.handler = async () => new Date(0)', '1970-01-01T00:00:00.000Z'],
  ['thenable: its value', 'exports.handler = () => ({ then: resolve => resolve(5) })', 5],
  ['callback at once: its value', 'exports.handler = (e, c, cb) => cb(null, "now")', 'now'],
  ['callback later: its value', 'exports.handler = (e, c, cb) => setTimeout(cb, 5, null, "later")', 'later'],
  ['callback twice: the first', 'exports.handler = (e, c, cb) => { cb(null, 1); cb(null, 2) }', 1],
  ['callback never, nothing left to wait for: null', 'exports.handler = (e, c, cb) => {}', null],
  [
    'three parameters and a return value: the value is not the answer',
    'exports.handler = (e, c, cb) => 9',
    null,
  ],
  ['context.succeed: its value', 'exports.handler = (e, c) => { c.succeed("yes") }', 'yes'],
  ['context.done: its value', 'exports.handler = (e, c) => { c.done(null, "done") }', 'done'],
  [
    'return value without a promise, before nodejs24.x: null',
    'exports.handler = () => ({ sync: true })',
    null,
  ],
  ['callback with null thrown: null', 'exports.handler = () => { throw null }', null],
];

describe('a handler that answers', () => {
  test.each(ANSWERS)('%s', async (_title, code, payload) => {
    expect(await runCode(code).call({ x: 7 })).toEqual({ kind: 'succeeded', payload });
  });

  test.each([
    ['a value without a promise: the value', 'exports.handler = () => ({ sync: true })', { sync: true }],
    ['async: its value', 'exports.handler = async event => event.x', 7],
    ['two parameters and nothing: null', 'exports.handler = (e, c) => {}', null],
    [
      'context: has no callbacks',
      'exports.handler = async (e, c) => [typeof c.done, "succeed" in c]',
      ['undefined', false],
    ],
  ])('nodejs24.x, %s', async (_title, code, payload) => {
    const { call } = runCode(code, { runtime: 'nodejs24.x' });

    expect(await call({ x: 7 })).toEqual({ kind: 'succeeded', payload });
  });

  test('nodejs24.x, a callback: does not start', async () => {
    const { call } = runCode('exports.handler = (e, c, cb) => cb(null, 1)', { runtime: 'nodejs24.x' });

    expect(await call()).toMatchObject({
      kind: 'functionError',
      errorType: 'Runtime.CallbackHandlerDeprecated',
    });
  });

  test('callback while a timer runs: the answer waits for the empty event loop', async () => {
    const { call } = runCode(`
      let fired = false;
      exports.handler = (event, context, callback) => {
        setTimeout(() => { fired = true }, 30);
        callback(null, { toJSON: () => ({ fired }) });
      };`);

    expect(await call()).toEqual({ kind: 'succeeded', payload: { fired: true } });
  });

  test('callback with callbackWaitsForEmptyEventLoop off: the answer does not wait', async () => {
    const { call } = runCode(`
      let fired = false;
      exports.handler = (event, context, callback) => {
        context.callbackWaitsForEmptyEventLoop = false;
        setTimeout(() => { fired = true }, 2000);
        callback(null, { toJSON: () => ({ fired }) });
      };`);

    expect(await call()).toEqual({ kind: 'succeeded', payload: { fired: false } });
  });

  test.each([true, false])(
    'callback of an answered event, waiting %s: says nothing about the next',
    async waits => {
      const { call } = runCode(`
      let saved;
      exports.handler = (event, context, callback) => {
        context.callbackWaitsForEmptyEventLoop = ${waits};
        if (event.first) saved = callback;
        else saved(null, 'of the first');
      };`);

      expect(await call({ first: true })).toEqual({ kind: 'succeeded', payload: null });
      expect(await call({})).toEqual({ kind: 'succeeded', payload: null });
    },
  );
});

/** What the handler throws or rejects with, and the first two members of the payload. */
const FAILURES: readonly [title: string, code: string, errorType: string, errorMessage: string][] = [
  ['async throw', 'exports.handler = async () => { throw new TypeError("no") }', 'TypeError', 'no'],
  ['sync throw', 'exports.handler = () => { throw new RangeError("far") }', 'RangeError', 'far'],
  ['callback with an error', 'exports.handler = (e, c, cb) => cb(new Error("cb"))', 'Error', 'cb'],
  ['context.fail', 'exports.handler = (e, c) => { c.fail(new Error("f")) }', 'Error', 'f'],
  ['context.done with an error', 'exports.handler = (e, c) => { c.done(new Error("d")) }', 'Error', 'd'],
  [
    'subclass that sets no name: the name of its base',
    'class Declined extends Error {}; exports.handler = async () => { throw new Declined("x") }',
    'Error',
    'x',
  ],
  [
    'subclass that sets its name',
    `class Declined extends Error { name = 'Declined' }
     exports.handler = async () => { throw new Declined('card') }`,
    'Declined',
    'card',
  ],
  ['string', 'exports.handler = async () => { throw "text" }', 'string', 'text'],
  ['number', 'exports.handler = async () => { throw 42 }', 'number', '42'],
  ['object', 'exports.handler = async () => { throw { a: 1 } }', 'object', '[object Object]'],
  ['null', 'exports.handler = async () => { throw null }', 'string', 'handled'],
  ['undefined', 'exports.handler = async () => { throw undefined }', 'string', 'handled'],
  [
    'BigInt in the response',
    'exports.handler = async () => 1n',
    'Error',
    'Unable to stringify response body',
  ],
  [
    'circular response',
    'exports.handler = async () => { const a = {}; a.a = a; return a }',
    'Error',
    'Unable to stringify response body',
  ],
  [
    'unserialisable value by callback',
    'exports.handler = (e, c, cb) => cb(null, 1n)',
    'Error',
    'Unable to stringify response body',
  ],
];

describe('a handler that fails', () => {
  test.each(FAILURES)('%s', async (_title, code, errorType, errorMessage) => {
    const outcome = await runCode(code).call();

    expect(outcome).toMatchObject({ kind: 'functionError', errorType });
    expect(errorPayload(outcome)).toMatchObject({ errorType, errorMessage });
  });

  test('payload: type, message and trace in this order, the trace by line', async () => {
    const outcome = await runCode('exports.handler = async () => { throw new Error("a\\nb") }').call();

    const payload = errorPayload(outcome);
    expect(Object.keys(payload)).toEqual(['errorType', 'errorMessage', 'trace']);
    expect(payload.trace?.slice(0, 2)).toEqual(['Error: a', 'b']);
    expect(payload.trace?.[2]).toMatch(/^ {4}at .*index\.js:1:/);
  });

  test.each([
    [
      'exports.handler = async () => { pay(); }; function pay() { throw new Error("x"); }',
      ['pay', 'exports.handler'],
    ],
    ['exports.handler = (e, c, cb) => { cb(new Error("x")); }', ['exports.handler']],
    ['exports.handler = async () => { await null; throw new Error("x"); }', ['exports.handler']],
    [
      'exports.handler = async () => [1].map(() => { throw new Error("x"); })',
      ['', 'Array.map', 'exports.handler'],
    ],
    ['exports.handler = async () => 1n', []],
    ['throw new Error("x")', ['Object.<anonymous>']],
    ['exports.handler = async () => {', []],
  ])('trace of %s: the frames of the function, and none of ours', async (code, names) => {
    const { trace = [] } = errorPayload(await runCode(code).call());

    const frames = trace.filter(line => line.startsWith('    at '));
    const own = frames.filter(line => !line.includes('(node:')).map(line => line.trim().replace(/^at /, ''));
    expect(own.map(frame => frame.split(/ ?\(|\//)[0])).toEqual(names);
    expect(trace.join()).not.toMatch(/programs|AsyncLocalStorage/);
  });

  test.each([
    [
      'getters that throw',
      `Object.defineProperty(new Error('x'), 'message', { get() { throw new Error('no') } })`,
    ],
    ['no stack', `Object.assign(new Error('x'), { stack: undefined })`],
    ['no way to a string', 'Object.create(null)'],
    ['a proxy that throws', `new Proxy({}, { get() { throw new Error('trap') } })`],
    ['a name that is not JSON', `Object.assign(new Error('x'), { name: 1n })`],
  ])('error with %s: the runtime says that it could not read it', async (_title, thrown) => {
    const { call } = runCode(`exports.handler = async () => { throw ${thrown} }`);

    expect(errorPayload(await call()).errorType).toBe('handled');
    expect(errorPayload(await call()).errorMessage).toMatch(/problem while retrieving one or more/);
  });

  test('error without a name: no error type', async () => {
    const { call } = runCode(`exports.handler = async () => {
      throw Object.defineProperty(new Error('x'), 'name', { value: undefined });
    }`);

    expect(await call()).toMatchObject({ kind: 'functionError', errorType: '' });
  });

  test('failure: the environment stays warm', async () => {
    const { call } = runCode(`
      let count = 0;
      exports.handler = async event => { count += 1; if (event.fail) throw new Error('x'); return count; };`);

    await call({ fail: true });

    expect(await call()).toEqual({ kind: 'succeeded', payload: 2 });
  });
});
