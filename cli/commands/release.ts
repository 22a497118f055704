import { releaseKey } from '../actions/release';
import { flag } from '../program/options';
import { RECORDED_KEY_OPTIONS, STEP_TIMEOUT } from './shared-options';
import { keyIn, workflowCommand } from './workflow-command';

/** Frees a key, after asking. */
export const release = workflowCommand({
  name: 'release',
  line: [
    'release KEY',
    'frees a parked, failed or abandoned key, so that the next delivery runs the step again',
  ],
  usage: 'release KEY [PART...] [options]',
  does: [
    'Frees a key that is parked (in doubt), has failed for good, or whose owner is dead: the next delivery runs the step',
    'again, as the next attempt. Shows what it will do and asks. Refuses while the owner lives, or its step may still be',
    'working. It does not start anything itself.',
  ],
  keyOptions: RECORDED_KEY_OPTIONS,
  options: {
    yes: flag('do not ask; needed where there is no terminal'),
    force: flag('also where deliveries can still redrive the owner, which is better'),
    delete: flag(
      'forget the record, so that another payload may come with the key; attempts begin at 1 again',
    ),
    ...STEP_TIMEOUT,
  },
  examples: ['onceflow release order-7', 'onceflow release order-7 --yes --json'],
  wantedIn(line) {
    const { yes: isConfirmed, force: isForced, delete: isDeleted } = line.values;
    return { key: keyIn(line), isConfirmed, isForced, isDeleted };
  },
  run: releaseKey,
});
