const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

/** An `npx` that finds in no time what apps and the CDK start. */
const NPX = path.join(__dirname, '../../.ci/bin');

let directory;

/**
 * Before the first suite of a run: a directory for what its suites share, such as a synthesized app. All of it is made
 * anew in each run, so nothing in it is ever older than the sources. `test/support/shared.ts` knows it. What the suites
 * start finds a quick `npx`.
 */
module.exports = () => {
  // `--watch` has many runs in one process.
  if (directory === undefined) process.once('exit', remove);
  remove();
  directory = mkdtempSync(path.join(tmpdir(), 'onceflow-test-run-'));
  process.env['ONCEFLOW_TEST_RUN'] = directory;
  if (!process.env['PATH'].startsWith(NPX)) process.env['PATH'] = `${NPX}:${process.env['PATH']}`;
};

function remove() {
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
}
