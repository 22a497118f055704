import type { RecordedWhen } from '../cases/recorded-case';

/**
 * Members that the service has begun to send since some recordings were made, and when. Their absence from an older
 * recording says nothing about what it would answer today.
 */
const ADDED_ON: Readonly<Record<string, string>> = {
  encryptionConfiguration: '2024-07-25',
  redriveCount: '2023-11-15',
  redriveStatus: '2023-11-15',
  redriveStatusReason: '2023-11-15',
  RedriveCount: '2023-11-15',
  RedriveStatus: '2023-11-15',
  RedriveStatusReason: '2023-11-15',
};

/** Tells of a member whether the service sends it only since after the recording. Without a date: of none. */
export function additionsSince(recorded: RecordedWhen = {}): (member: string) => boolean {
  const { lastValidated = isoDate(recorded.date) } = recorded;
  if (lastValidated === undefined) return () => false;
  return member => Object.hasOwn(ADDED_ON, member) && lastValidated < (ADDED_ON[member] ?? '');
}

function isoDate(date: string | undefined): string | undefined {
  const [, day, month, year] = /^(\d\d)-(\d\d)-(\d{4})/.exec(date ?? '') ?? [];
  return year === undefined ? undefined : `${year}-${month}-${day}`;
}
