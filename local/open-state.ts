import { LocalError } from './local-error';
import { openStateDirectory, type StateDirectory } from './state/directory';

/** The directory that keeps a stack's state. @throws LocalError `StateUnavailable` */
export async function openState(directory: string): Promise<StateDirectory> {
  const opened = await openStateDirectory(directory);
  switch (opened.kind) {
    case 'open':
      return opened.directory;
    case 'refused':
      throw new LocalError('StateUnavailable', [opened.reason]);
    default: {
      const never: never = opened;
      return never;
    }
  }
}

/** What a reader finds in a directory. @throws LocalError `StateUnavailable` where it finds what it cannot read */
export async function readState<Content>(
  { root }: StateDirectory,
  reader: () => Content | Promise<Content>,
): Promise<Content> {
  try {
    return await reader();
  } catch (error) {
    const reason = typeof error === 'object' && error !== null && 'message' in error ? error.message : error;
    throw new LocalError('StateUnavailable', [`what ${root} keeps cannot be read: ${String(reason)}`]);
  }
}
