const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const {
  HandlerNotFound,
  ImportModuleError,
  MalformedHandlerName,
  UserCodeSyntaxError,
  textOf,
} = require('./errors.js');

/**
 * The function that a handler name such as `folder/index.handler` stands for, found by the rules of the Node.js
 * runtime. Rejects with the error by which the runtime reports that it is not there.
 */
async function loadHandler(root, name) {
  if (name.includes('..')) {
    const advice = 'Use absolute paths when specifying root directories in handler names.';
    throw new MalformedHandlerName(`'${name}' is not a valid handler name. ${advice}`);
  }
  const base = path.basename(name);
  const [, moduleName, exportPath] = /^([^.]*)\.(.*)$/.exec(base) ?? [];
  if (moduleName === undefined) throw new MalformedHandlerName('Bad handler');

  const file = path.resolve(root, name.slice(0, name.indexOf(base)), moduleName);
  const exported = await loadModule(root, file, moduleName).catch(error => {
    throw loadError(error);
  });
  const handler = exportPath.split('.').reduce((value, key) => value?.[key], exported);
  if (!handler) throw new HandlerNotFound(`${name} is undefined or not exported`);
  if (typeof handler !== 'function') throw new HandlerNotFound(`${name} is not a function`);
  return handler;
}

async function loadModule(root, file, moduleName) {
  const requireFromRoot = Module.createRequire(path.join(root, 'index.js'));
  const type = packageType(path.dirname(file), root);
  if (fs.existsSync(file)) return requireFromRoot(file);
  if (fs.existsSync(`${file}.js`)) {
    if (type === 'module') return importFile(`${file}.js`);
    return type === 'outer module' ? compileCommonJs(`${file}.js`) : requireFromRoot(`${file}.js`);
  }
  if (fs.existsSync(`${file}.mjs`)) return importFile(`${file}.mjs`);
  if (fs.existsSync(`${file}.cjs`)) return requireFromRoot(`${file}.cjs`);
  return requireFromRoot(moduleName);
}

function importFile(file) {
  return import(pathToFileURL(file).href);
}

// Nothing lies above /var/task. Here the project does, and when it says "type": "module", Node would take a
// bundle's CommonJS for an ES module.
function packageType(folder, root) {
  for (let at = folder; ; at = path.dirname(at)) {
    const file = path.join(at, 'package.json');
    if (fs.existsSync(file)) {
      if (!isModulePackage(file)) return 'commonjs';
      return at === root || at.startsWith(root + path.sep) ? 'module' : 'outer module';
    }
    if (at === path.dirname(at)) return 'commonjs';
  }
}

function isModulePackage(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'))?.type === 'module';
  } catch {
    return false;
  }
}

function compileCommonJs(file) {
  const compiled = new Module(file);
  compiled.filename = file;
  compiled.paths = Module._nodeModulePaths(path.dirname(file));
  require.cache[file] = compiled;
  compiled._compile(fs.readFileSync(file, 'utf8'), file);
  return compiled.exports;
}

function loadError(error) {
  if (error instanceof SyntaxError) return new UserCodeSyntaxError(textOf(error));
  return errorCode(error) === 'MODULE_NOT_FOUND' ? new ImportModuleError(textOf(error)) : error;
}

function errorCode(error) {
  try {
    return error.code;
  } catch {
    return undefined;
  }
}

module.exports = { loadHandler };
