import { releaseKey } from '../actions/release';
import { keyFromArguments } from '../key/input/key';
import { resolveKey } from '../key/input/resolve-key';
import { flag } from '../program/options';
import { RECORDED_KEY_OPTIONS, STEP_TIMEOUT } from './shared-options';
import { workflowCommand } from './workflow-command';

/** Releases a key, after asking. */
export const release = workflowCommand({
  name: 'release',
  line: [
    'release KEY',
    'releases a key that is held for review, failed or abandoned: the next delivery runs the step again',
  ],
  usage: 'release KEY [PART...] [options]',
  does: [
    'Releases a key that is held for review, has failed for good, or whose owner has ended. The next delivery then runs',
    'the step again, as the next attempt; release itself starts nothing. It shows its plan and asks. It does nothing if',
    'the owner or its step might still be running. It first reserves the record for 85 seconds, until a redrive of the',
    'owner can no longer arrive.',
  ],
  keyOptions: RECORDED_KEY_OPTIONS,
  options: {
    yes: flag('do not ask; you must pass it if there is no terminal'),
    force: flag('release the key even if you should redrive its owner instead'),
    delete: flag('delete the record, so that the key can come with another payload; attempts restart at 1'),
    ...STEP_TIMEOUT,
  },
  examples: ['onceflow release order-7', 'onceflow release order-7 --yes --json'],
  wantedIn(line) {
    const { yes: isConfirmed, force: isForced, delete: isDeleted } = line.values;
    return { key: keyFromArguments(line), isConfirmed, isForced, isDeleted };
  },
  keyIn: ({ key }) => key,
  async run(context, wanted) {
    const key = await resolveKey(context, wanted.key, { isUnasked: wanted.isConfirmed });
    return releaseKey(context, { ...wanted, key });
  },
});
