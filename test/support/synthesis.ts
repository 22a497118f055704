import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { App } from 'aws-cdk-lib';
import { pathsOfNulls } from '../../packages/local/assembly/template';

/** The CDK calls what stands here with each new app. A suite without an app loads nothing of the CDK for this. */
const APP_INIT_HOOK = Symbol.for('@aws-cdk/core.App#initHook');

/** What CDK writes for a number that it resolves later, after arithmetic with it. No other number is as large. */
const COMPUTED_TOKEN = /\d\.\d+e\+2(8|9)\d/;

type Assemblies = typeof import('aws-cdk-lib/cx-api');
type Core = typeof import('aws-cdk-lib/core');

let assemblies: Assemblies | undefined;

Object.assign(globalThis, {
  [APP_INIT_HOOK]: (app: App) => {
    if (assemblies === undefined) {
      assemblies = checked(require('aws-cdk-lib/cx-api'));
      acknowledgeUntraced(require('aws-cdk-lib/core'));
    }
    // The place where each resource was created, and the tree of constructs: no suite reads them, and both take longer
    // than the resources themselves.
    app.node.setContext('aws:cdk:disable-creation-stack-traces', true);
    Object.assign(app, { _treeMetadata: false });
  },
});

// What `aws-cdk-lib/testhelpers/jest-autoclean` does, which loads the CDK in every suite.
afterAll(() => assemblies?.CloudAssembly.cleanupTemporaryDirectories());

// CloudFormation rejects a template with a null, and `cdk synth` accepts it: every template that a suite synthesizes is
// checked, those of nested stacks included.
function checked(loaded: Assemblies): Assemblies {
  const { buildAssembly } = loaded.CloudAssemblyBuilder.prototype;
  loaded.CloudAssemblyBuilder.prototype.buildAssembly = function (options) {
    const assembly = buildAssembly.call(this, options);
    for (const file of readdirSync(assembly.directory).filter(name => /\.template\.json$/.test(name))) {
      const text = readFileSync(path.join(assembly.directory, file), 'utf8');
      const nulls = pathsOfNulls(JSON.parse(text)).map(at => `[${at}]`);
      if (nulls.length > 0) throw new Error(`'null' values are not allowed in templates:\n${file}: ${nulls}`);
      if (COMPUTED_TOKEN.test(text)) throw new Error(`arithmetic on the number of a token: ${file}`);
    }
    return assembly;
  };
  return loaded;
}

// The CDK keeps where each rule was acknowledged. With the hundred frames of jest, and their source maps, that takes as
// long as a tenth of a workflow.
function acknowledgeUntraced({ Validations }: Core): void {
  const { acknowledge } = Validations.prototype;
  Validations.prototype.acknowledge = function (...rules) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    try {
      acknowledge.apply(this, rules);
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
  };
}
