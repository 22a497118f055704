import { stopExecution, stopOwner } from '../actions/stop';
import type { Key } from '../key/input/key';
import { keyFromArguments } from '../key/input/key';
import { resolveKey } from '../key/input/resolve-key';
import { flag } from '../program/options';
import { RECORDED_KEY_OPTIONS, YES } from './shared-options';
import { workflowCommand } from './workflow-command';

interface StopRequest {
  /** An execution by its ARN, or the owner of a key. */
  readonly subject: { readonly executionArn: string } | { readonly key: Key };
  /** True where recovery is to leave it alone. */
  readonly isForGood: boolean;
}

const EXECUTION_ARN = /^arn:[^:]+:states:[^:]*:[^:]*:(?:execution|express):/;

/** Stops the owner of a key, or an execution of any state machine. */
export const stop = workflowCommand({
  name: 'stop',
  line: ['stop KEY|ARN', 'stops the owner of a key, or an execution of any state machine'],
  usage: 'stop KEY [PART...]|EXECUTION [options]',
  does: [
    'Stops the execution that owns a key, or an execution of any state machine, by its ARN. It does not ask: a redrive,',
    'the next delivery of the key, or recovery (if the workflow has it) can resume the execution where it stopped. With',
    '--for-good, recovery leaves it alone. A function that the execution called keeps running.',
  ],
  keyOptions: RECORDED_KEY_OPTIONS,
  options: {
    'for-good': flag(
      'keep recovery from resuming it; by default recovery resumes a stopped owner within about a minute',
    ),
    ...YES,
  },
  examples: [
    'onceflow stop order-7',
    'onceflow stop order-7 --for-good',
    'onceflow stop arn:aws:states:us-east-1:111111111111:execution:Import:2026-11-20 --endpoint http://127.0.0.1:8083',
  ],
  wantedIn(line): StopRequest {
    const [first = '', ...more] = line.positionals;
    const isArn = more.length === 0 && EXECUTION_ARN.test(first);
    const subject = isArn ? { executionArn: first } : { key: keyFromArguments(line) };
    return { subject, isForGood: line.values['for-good'] };
  },
  keyIn: ({ subject }) => ('key' in subject ? subject.key : undefined),
  runWithout: (aws, { subject, isForGood }) =>
    'key' in subject ? undefined : stopExecution(aws, subject.executionArn, isForGood),
  run: async (context, { subject, isForGood }) =>
    'key' in subject
      ? stopOwner(context, await resolveKey(context, subject.key), isForGood)
      : stopExecution(context.aws, subject.executionArn, isForGood),
});
