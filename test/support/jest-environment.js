const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

/**
 * Jest's Node.js environment, in a context whose global object is an ordinary one.
 *
 * Jest asks for a context that hands every look at a global (`Array`, `Symbol`, `Promise`) to a proxy. A program that
 * looks at them in its inner loop, as JSONata's interpreter does, then takes many times as long. Each suite has a
 * context of its own all the same; what it leaves in it goes with it. A Node.js that has no such contexts (before
 * 20.18) gives the usual one.
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
};
