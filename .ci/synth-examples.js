/**
 * Synthesizes the apps of examples into cdk.out/NAME, as `cdk synth` has them synthesized: with the context of cdk.json
 * and with the CDK's validation, in which an error of a construct fails. All in one process, because loading the CDK
 * and its rules takes longer than an app.
 */
const path = require('node:path');
require('../test/support/typescript.js');

const ROOT = path.join(__dirname, '..');
const { context } = require('../cdk.json');
process.env.CDK_CONTEXT_JSON = JSON.stringify({
  'aws:cdk:enable-path-metadata': true,
  'aws:cdk:enable-asset-metadata': true,
  ...context,
});

for (const name of process.argv.slice(2)) {
  process.env.CDK_OUTDIR = path.join(ROOT, 'cdk.out', name);
  require(path.join(ROOT, 'examples', name, 'app.ts'));
}
