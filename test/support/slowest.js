const path = require('node:path');

const SHOWN = 10;

/** A jest reporter: prints the slowest suites at the end of a run of many. */
module.exports = class {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
  }

  onRunComplete(_contexts, { testResults }) {
    if (testResults.length <= SHOWN) return;
    const seconds = ({ perfStats }) => (perfStats.end - perfStats.start) / 1000;
    const slowest = [...testResults].sort((a, b) => seconds(b) - seconds(a)).slice(0, SHOWN);
    const all = testResults.reduce((sum, suite) => sum + seconds(suite), 0);
    const lines = slowest.map(
      suite =>
        `${seconds(suite).toFixed(1).padStart(7)} s  ${path.relative(this.rootDir, suite.testFilePath)}`,
    );
    process.stderr.write(
      `\nThe slowest of ${testResults.length} suites, ${Math.round(all)} s in all:\n${lines.join('\n')}\n`,
    );
  }
};
