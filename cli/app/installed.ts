import { installHint } from '../program/install-hint';
import { usage } from '../program/rejection';

/** The package @onceflow/local, which is there only if the user has installed it. */
export type Local = typeof import('@onceflow/local');

/** The package @onceflow/console, likewise. */
export type Console = typeof import('@onceflow/console');

/**
 * The package @onceflow/local for a sentence's subject that needs it, such as `replay`.
 *
 * @throws Rejection with the command that installs it, if it is absent
 */
export function requireLocal(subject: string): Local {
  const local = ifInstalled('@onceflow/local', (): Local => require('@onceflow/local'));
  if (local !== undefined) return local;
  throw usage(`${subject} needs @onceflow/local; ${installHint('@onceflow/local')}`);
}

/** The constructs of this package, which need aws-cdk-lib and constructs. */
export type Constructs = typeof import('onceflow');

/**
 * The constructs of this package. They are loaded by its name, because in the published package the command line is a
 * file of its own beside them.
 *
 * @throws Rejection that says how to run the command with aws-cdk-lib and constructs, if these are not installed
 */
export function requireConstructs(subject: string): Constructs {
  try {
    return require('onceflow');
  } catch (error) {
    const { code, cause } = error as NodeJS.ErrnoException;
    const isMissing = [code, (cause as NodeJS.ErrnoException | undefined)?.code].includes('MODULE_NOT_FOUND');
    if (!isMissing) throw error;
    throw usage(
      `${subject} needs aws-cdk-lib and constructs, which are not installed. Run \`npm install aws-cdk-lib@2 constructs@10\`, ` +
        'or add `-p aws-cdk-lib@2 -p constructs@10` to `npx -p` of onceflow',
    );
  }
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
