/** The repository, as GitHub shows it. Messages, alarms and answers are read where no clone is. */
const REPOSITORY = 'https://github.com/onceflow/onceflow/blob/main/';

/**
 * The address of a file of the repository, for a text that is read outside of it. An anchor belongs to the path.
 *
 * @example documentation('docs/guide/http.md#the-key')
 */
export function documentation(path: string): string {
  return REPOSITORY + path;
}
