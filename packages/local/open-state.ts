import { LocalError } from './local-error';
import { DamagedState } from './state/damage';
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
    throw new LocalError('StateUnavailable', [
      `what ${root} keeps is damaged:`,
      ...problemsOf(error),
      'move the directory away and start with a new one, or put a copy from before in its place',
    ]);
  }
}

function problemsOf(error: unknown): readonly string[] {
  if (error instanceof DamagedState) return error.problems;
  return [
    typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error),
  ];
}
