import type { Assembly } from '@onceflow/local';
import { optional } from '../program/options';
import { usage } from '../program/rejection';
import type { Local } from './installed';
import { withSynthesizedApp } from './synthesize';

/** The options that say which app is meant: what a command runs, or an assembly; by default that of `cdk.json`. */
export const APP_OPTIONS = {
  app: optional(
    'CMD',
    'a command',
    'the command that runs the CDK app (default: `app` of cdk.json in this directory)',
  ),
  assembly: optional(
    'DIR',
    'a directory',
    'the cloud assembly in DIR, which cdk synth wrote, instead of synthesizing an app',
  ),
} as const;

/** What the options say. */
export interface WhichApp {
  readonly assembly: string | undefined;
  readonly app: string | undefined;
}

/**
 * What an app deploys, read from its assembly, or synthesized from the app of this directory.
 *
 * @throws Rejection, on one line, for an app or an assembly that cannot be used
 */
export async function assemblyOf(which: WhichApp, local: Local, ended: AbortSignal): Promise<Assembly> {
  try {
    if (which.assembly !== undefined) return local.readAssembly(which.assembly);
    const read = (directory: string) => Promise.resolve(local.readAssembly(directory));
    return await withSynthesizedApp(read, ended, which.app);
  } catch (error) {
    ended.throwIfAborted();
    throw usage((error instanceof Error ? error.message : String(error)).replace(/:?\s*\n\s*/g, ': '));
  }
}
