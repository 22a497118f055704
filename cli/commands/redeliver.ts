import { planKeys, redeliver as redeliverKeys } from '../bulk/redeliver';
import { resolveKey } from '../key/readings';
import { flag } from '../program/options';
import { RECORDED_KEY_OPTIONS } from './shared-options';
import { keyIn, workflowCommand } from './workflow-command';

/** Delivers one key again, after asking, under the rules of the workflow. */
export const redeliver = workflowCommand({
  name: 'redeliver',
  line: ['redeliver KEY', 'delivers the input of a failed key again, or resumes its ended owner'],
  usage: 'redeliver KEY [PART...] [options]',
  does: [
    'Delivers a key again that has failed or was never claimed: with the input of its owner, or of its last delivery. It',
    'is a delivery as any other, under the rules of the workflow. An owner that can resume is redriven instead. Shows',
    'what it will do and asks. Leaves alone what is finished, at work or held for review, and says why.',
  ],
  keyOptions: RECORDED_KEY_OPTIONS,
  options: {
    'dry-run': flag('show what would be done, and do nothing'),
    yes: flag('do not ask; needed where there is no terminal'),
  },
  examples: [
    'onceflow redeliver order-7',
    'onceflow redeliver order-7 --dry-run',
    'onceflow redeliver order-7 --yes',
  ],
  wantedIn(line) {
    const { yes: isConfirmed } = line.values;
    return { key: keyIn(line), isConfirmed, isDryRun: line.values['dry-run'] };
  },
  async run(context, { key: named, ...wanted }) {
    const key = await resolveKey(context, named, { isUnasked: wanted.isConfirmed && !wanted.isDryRun });
    const planned = await planKeys(context, [{ key }]);
    // A key that is left alone needs no confirmation.
    const isIdle = planned.every(one => !('plan' in one) || one.plan.kind === 'leave');
    const isDryRun = wanted.isDryRun || isIdle;
    return redeliverKeys(context, planned, { ...wanted, isDryRun, limit: 1, perSecond: 1 });
  },
});
