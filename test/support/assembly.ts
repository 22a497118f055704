import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { newDirectory, share, sharedDirectory } from './shared';
import type { Variant } from './variant';

/** Of this suite, by their names. */
const assemblies = new Map<string, string>();

/**
 * The directory of a variant's assembly; no test may write into it. A variant that is data is synthesized once for all
 * suites of a run, one that has functions or constructs in it once for its suite. The step is not bundled: its answers
 * come from a script.
 */
export function assemblyOf(variant: Variant): string {
  const known = assemblies.get(variant.name);
  if (known !== undefined) return known;
  const shareName = shareNameOf(variant);
  const directory = (shareName && sharedDirectory(shareName)) ?? synthesized(variant, shareName);
  assemblies.set(variant.name, directory);
  return directory;
}

function synthesized(variant: Variant, shareName: string | undefined): string {
  const directory = newDirectory();
  // Loading the CDK takes most of the time, and is only needed by whom it falls to.
  const { synthesize } = require('./scenario-stack') as typeof import('./scenario-stack');
  synthesize(variant, directory);
  return shareName === undefined ? directory : share(directory, shareName);
}

function shareNameOf({ name: _, ...content }: Variant): string | undefined {
  const text = JSON.stringify(content);
  if (!isDeepStrictEqual(JSON.parse(text), content)) return undefined;
  return `variant-${createHash('sha256').update(text).digest('hex')}`;
}
