import { releaseKey } from '../actions/release';
import { resolveKey } from '../key/readings';
import { flag } from '../program/options';
import { RECORDED_KEY_OPTIONS, STEP_TIMEOUT } from './shared-options';
import { keyIn, workflowCommand } from './workflow-command';

/** Releases a key, after asking. */
export const release = workflowCommand({
  name: 'release',
  line: [
    'release KEY',
    'releases a key that is held for review, failed or abandoned: the next delivery runs the step again',
  ],
  usage: 'release KEY [PART...] [options]',
  does: [
    'Releases a key that is held for review, has failed for good, or whose owner has ended: the next delivery runs the',
    'step again, as the next attempt. Shows what it will do and asks. Refuses while the owner or its step may be running.',
    'It reserves the record for 85 seconds first, until no redrive of the owner can arrive. It does not start anything.',
  ],
  keyOptions: RECORDED_KEY_OPTIONS,
  options: {
    yes: flag('do not ask; needed where there is no terminal'),
    force: flag('also if the owner can be redriven, which is better'),
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
  async run(context, wanted) {
    const key = await resolveKey(context, wanted.key, { isUnasked: wanted.isConfirmed });
    return releaseKey(context, { ...wanted, key });
  },
});
