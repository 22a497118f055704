import { LocalError } from '../../local-error';
import type { Store } from '../../runtime/store/store';
import { listNames } from '../../state/list-names';

/** How many executions a message names. */
const NAMES_MAX = 10;

/**
 * The ARNs of executions that an earlier process left running, by their names or ARNs.
 *
 * @throws LocalError `InvalidRequest` for one that does not run, with the names of those that do
 */
export function leftRunning(store: Store, names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const running = store.running().map(({ execution }) => execution);
  const isMeant = (execution: { readonly arn: string; readonly name: string }, given: string) =>
    given === execution.arn || given === execution.name;
  const unknown = names.filter(name => !running.some(execution => isMeant(execution, name)));
  if (unknown.length > 0) {
    const others = running.map(({ name }) => `\`${name}\``);
    throw new LocalError('InvalidRequest', [
      ...unknown.map(name => `stop: no execution \`${name}\` was left running`),
      others.length > 0 ? `these were: ${listNames(others, NAMES_MAX)}` : 'none was',
    ]);
  }
  const stopped = running.filter(execution => names.some(name => isMeant(execution, name)));
  return stopped.map(({ arn }) => arn);
}
