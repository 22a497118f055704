const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

/**
 * Before the first suite of a run: a directory for what its suites share, such as a synthesized app. All of it is made
 * anew in each run, so nothing in it is ever older than the sources; it is removed when the run ends.
 */
module.exports = () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'onceflow-test-run-'));
  process.env['ONCEFLOW_TEST_RUN'] = directory;
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
};
