/** The package @onceflow/console, which is there only where somebody has installed it. */
export type Console = typeof import('@onceflow/console');

/** The package, or undefined where it is not installed. */
export function installedConsole(): Console | undefined {
  try {
    return require('@onceflow/console');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'MODULE_NOT_FOUND' && message.includes("'@onceflow/console'")) return undefined;
    throw error;
  }
}
