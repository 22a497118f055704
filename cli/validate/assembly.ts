import type { Assembly } from '@onceflow/local';
import type { Local } from '../dev/server';
import { withSynthesizedApp } from '../dev/synthesize';
import { usage } from '../refusal';

/** Which app is meant: the assembly in a directory, the app that a command runs, or that of `cdk.json`. */
export interface WhichApp {
  readonly assembly: string | undefined;
  readonly app: string | undefined;
}

/**
 * What an app deploys, read from its assembly, or synthesized from the app of this directory.
 *
 * @throws Refusal, on one line, for an app or an assembly that cannot be used
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
