import { spawn } from 'node:child_process';
import path from 'node:path';

/** Where `cdk synth` writes the cloud assembly. */
const CDK_OUT = 'cdk.out';

/**
 * Synthesizes the reference app with the CDK command line, as a deployment would, and resolves to the assembly's
 * directory.
 *
 * @throws Error with what the command line printed, where it fails
 */
export async function synthesize(): Promise<string> {
  const root = path.join(__dirname, '..');
  const output = path.join(root, CDK_OUT);
  const cdk = require.resolve('aws-cdk/bin/cdk');
  const child = spawn(process.execPath, [cdk, 'synth', '--quiet', '--output', output], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed: string[] = [];
  child.stdout.on('data', chunk => printed.push(String(chunk)));
  child.stderr.on('data', chunk => printed.push(String(chunk)));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code !== 0) throw new Error(`cdk synth failed with exit code ${code}:\n${printed.join('').trim()}`);
  return output;
}
