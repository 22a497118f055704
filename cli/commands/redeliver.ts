import { keyFromArguments } from '../key/input/key';
import { resolveKey } from '../key/input/resolve-key';
import { flag } from '../program/options';
import { completeKeys, planKeys } from '../repair/complete-keys';
import { RECORDED_KEY_OPTIONS } from './shared-options';
import { workflowCommand } from './workflow-command';

/** Delivers one key again, after asking, under the rules of the workflow. */
export const redeliver = workflowCommand({
  name: 'redeliver',
  line: ['redeliver KEY', 'redelivers the input of a failed key, or resumes its ended owner'],
  usage: 'redeliver KEY [PART...] [options]',
  does: [
    'Redelivers the input of a key that failed or was never claimed: the input of its owner, or of its last delivery.',
    'The workflow treats it like every other delivery. If the owner can resume, it is redriven instead. The command',
    'shows its plan and asks. If the key is finished, running or held for review, it does nothing and says why.',
  ],
  keyOptions: RECORDED_KEY_OPTIONS,
  options: {
    'dry-run': flag('show the plan, and do nothing'),
    yes: flag('do not ask; you must pass it if there is no terminal'),
  },
  examples: [
    'onceflow redeliver order-7',
    'onceflow redeliver order-7 --dry-run',
    'onceflow redeliver order-7 --yes',
  ],
  wantedIn(line) {
    const { yes: isConfirmed } = line.values;
    return { key: keyFromArguments(line), isConfirmed, isDryRun: line.values['dry-run'] };
  },
  keyIn: ({ key }) => key,
  async run(context, { key: named, ...wanted }) {
    const key = await resolveKey(context, named, { isUnasked: wanted.isConfirmed && !wanted.isDryRun });
    const planned = await planKeys(context, [{ key }]);
    // A key that is left alone needs no confirmation.
    const isIdle = planned.every(one => !('plan' in one) || one.plan.kind === 'leave');
    const isDryRun = wanted.isDryRun || isIdle;
    return completeKeys(context, planned, { ...wanted, isDryRun, limit: 1, perSecond: 1 });
  },
});
