const { createHash } = require('node:crypto');
const { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const path = require('node:path');

/**
 * `node --require` of this file runs TypeScript, as `tsx` does, at a third of its cost: tests and the gate start some
 * hundred programs. It takes the place of `tsx/cjs` in threads and processes that those start. Each file is translated
 * once, and found again by its content.
 */
const ROOT = path.join(__dirname, '../..');
const CACHE = path.join(ROOT, 'node_modules/.cache/onceflow/typescript');
const SWC = path.join(ROOT, 'node_modules/@swc/core');

// Unpacked there, whatever home or cache a program is given. A thread cannot say so: it has a copy of the environment.
process.env.SWC_NATIVE_BINDING_CACHE ??= path.join(CACHE, 'swc');

const OPTIONS = {
  jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
  module: { type: 'commonjs' },
  sourceMaps: 'inline',
  inlineSourcesContent: false,
  swcrc: false,
};
const VERSION = `${JSON.stringify(OPTIONS)} ${require(path.join(SWC, 'package.json')).version}`;

// The packages of this repository, by their names.
const { paths } = require('../../tsconfig.json').compilerOptions;
const sources = new Map(Object.entries(paths).map(([name, [file]]) => [name, path.join(ROOT, file)]));
sources.set('tsx/cjs', __filename);

const resolve = Module._resolveFilename;
Module._resolveFilename = function (request, ...others) {
  return sources.get(request) ?? resolve.call(this, request, ...others);
};

Module._extensions['.ts'] = (module, file) => module._compile(translated(file), file);
process.setSourceMapsEnabled(true);

function translated(file) {
  const source = readFileSync(file, 'utf8');
  const hash = createHash('sha256').update(`${VERSION}\n${file}\n${source}`).digest('hex').slice(0, 32);
  const known = path.join(CACHE, `${hash}.js`);
  try {
    return readFileSync(known, 'utf8');
  } catch {
    const { code } = require(SWC).transformSync(source, { ...OPTIONS, filename: file });
    place(known, code);
    return code;
  }
}

/** Writes the file where no other process sees half of it. */
function place(file, code) {
  mkdirSync(CACHE, { recursive: true });
  const written = mkdtempSync(path.join(CACHE, 'new-'));
  writeFileSync(path.join(written, 'code.js'), code);
  renameSync(path.join(written, 'code.js'), file);
  rmSync(written, { recursive: true });
}
