import { installHint } from '../program/install-hint';
import { usage } from '../program/refusal';

/** The package @onceflow/local, which is there only where somebody has installed it. */
export type Local = typeof import('@onceflow/local');

/** The package @onceflow/console, likewise. */
export type Console = typeof import('@onceflow/console');

/**
 * The package @onceflow/local for a sentence's subject that needs it, such as `replay`.
 *
 * @throws Refusal that says how to install it, where it is not
 */
export function requireLocal(subject: string): Local {
  const local = ifInstalled('@onceflow/local', (): Local => require('@onceflow/local'));
  if (local !== undefined) return local;
  throw usage(`${subject} needs @onceflow/local; ${installHint('@onceflow/local')}`);
}

/** The package @onceflow/console, or undefined where it is not installed. */
export function installedConsole(): Console | undefined {
  return ifInstalled('@onceflow/console', (): Console => require('@onceflow/console'));
}

/** What `load` loads; undefined where the package that it needs is not installed. */
export function ifInstalled<Package>(name: string, load: () => Package): Package | undefined {
  try {
    return load();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'MODULE_NOT_FOUND' && message.includes(`'${name}'`)) return undefined;
    throw error;
  }
}
