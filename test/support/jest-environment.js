const { AsyncLocalStorage } = require('node:async_hooks');
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

/**
 * Jest's Node.js environment without three things that make a suite many times as slow as its code.
 *
 * - Jest asks for a context that hands every look at a global (`Array`, `Symbol`, `Promise`) to a proxy, which an
 *   interpreter's inner loop feels. Here the context's global object is an ordinary one; each suite still has its own.
 *   A Node.js without such contexts (before 20.18) gives the usual one.
 * - Jest opens an `AsyncLocalStorage` for each suite and leaves it open. Up to Node.js 22 every promise pays for each
 *   that is open: the hundredth suite of a process runs at a tenth of the speed of the first. Here a suite's storages
 *   end with it.
 * - Jest compiles every module anew for each suite, and V8 then compiles each of its functions anew when it is called.
 *   Here a process compiles a module once, and each suite runs what was compiled in its own context.
 */
module.exports = class extends TestEnvironment {
  constructor(config, context) {
    const { createContext } = vm;
    const ordinary = vm.constants?.DONT_CONTEXTIFY;
    vm.createContext = sandbox => createContext(ordinary ?? sandbox);
    try {
      super(config, context);
    } finally {
      vm.createContext = createContext;
    }
  }

  async setup() {
    await super.setup();
    // For `esbuild.js`, which says why.
    Object.defineProperty(this.global, Symbol.for('onceflow.test.esbuild'), {
      get: () => require('esbuild'),
    });
  }

  async teardown() {
    await super.teardown();
    for (const storage of entered) storage.disable();
    entered.clear();
  }
};

/** The storages that were used since the last suite ended. */
const entered = new Set();

for (const method of ['run', 'enterWith']) {
  const original = AsyncLocalStorage.prototype[method];
  AsyncLocalStorage.prototype[method] = function (...given) {
    entered.add(this);
    return original.apply(this, given);
  };
}

const { compileFunction } = vm;
/** What this process has compiled, by the names of files. */
const compiled = new Map();

vm.compileFunction = (code, parameters, options) => {
  const { filename, parsingContext } = options;
  // What imports dynamically needs the callback of its suite.
  if (parsingContext === undefined || /\bimport\s*\(/.test(code))
    return compileFunction(code, parameters, options);
  const head = `(function (${parameters.join(', ')}) {`;
  let known = compiled.get(filename);
  if (known?.code !== code || known.head !== head) {
    const script = new vm.Script(`${head}${code}\n})`, { filename, columnOffset: -head.length });
    known = { code, head, script };
    compiled.set(filename, known);
  }
  return known.script.runInContext(parsingContext);
};
