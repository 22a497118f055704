import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { RUN_TYPESCRIPT } from '../../../test/support/run-typescript';

const ROOT = path.join(__dirname, '../../..');

test('a client of the stack: made without the notice of the SDK, and the environment stays as it was', async () => {
  const script = `
    const { quietClient } = require('./packages/local/services/dynamodb/client');
    quietClient({ region: 'us-east-1' }).destroy();
    console.log(process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED);
  `;

  const { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: _variable, ...env } = process.env;
  const args = [...RUN_TYPESCRIPT, '--eval', script];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env });

  expect({ stdout, stderr }).toEqual({ stdout: 'undefined\n', stderr: '' });
});
