import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CloudAssemblyBuilder } from 'aws-cdk-lib/cx-api';
import { pathsOfNulls } from '../../packages/local/assembly/template';

// CloudFormation rejects a template with a null, and `cdk synth` accepts it: every template that a suite synthesizes is
// checked, those of nested stacks included.
const { buildAssembly } = CloudAssemblyBuilder.prototype;
CloudAssemblyBuilder.prototype.buildAssembly = function (options) {
  const assembly = buildAssembly.call(this, options);
  const nulls = readdirSync(assembly.directory)
    .filter(file => /\.template\.json$/.test(file))
    .flatMap(file => {
      const template = JSON.parse(readFileSync(path.join(assembly.directory, file), 'utf8'));
      return pathsOfNulls(template).map(at => `${file}: [${at}]`);
    });
  if (nulls.length > 0) throw new Error(`'null' values are not allowed in templates:\n${nulls.join('\n')}`);
  return assembly;
};
