import { startKey } from '../actions/start';
import { keyFromArguments } from '../key/input/key';
import { flag, optional } from '../program/options';
import { usage } from '../program/rejection';
import { durationOption, KEY_OPTIONS, YES } from './shared-options';
import { workflowCommand } from './workflow-command';

/** Starts the workflow once for a key. */
export const start = workflowCommand({
  name: 'start',
  line: ['start KEY', 'starts the workflow for a key, once'],
  usage: 'start KEY [PART...] --input FILE|- [options]',
  does: [
    'Starts the workflow for a key, as startOnce does. If the key is already completed, it prints the stored result and',
    "runs nothing. KEY must be the value of the workflow's idempotencyKey for this input.",
  ],
  keyOptions: KEY_OPTIONS,
  options: {
    input: optional(
      'FILE|-',
      'a file, or - for stdin',
      "the execution's input, as JSON; - reads it from stdin",
    ),
    wait: durationOption({
      help: 'how long to wait for the result: 30s, 5m (default: do not wait)',
      byDefault: undefined,
    }),
    force: flag('start even if the command cannot compute the key of the input'),
    ...YES,
  },
  examples: [
    'onceflow start order-7 --input order-7.json --wait 30s',
    `echo '{"detail":{"orderId":"order-7","amount":12.5,"currency":"EUR"}}' | onceflow start order-7 --input -`,
  ],
  wantedIn(line) {
    const { input, wait: waitMs, force: isForced } = line.values;
    if (input === undefined) throw usage('start needs --input FILE, or --input - for stdin');
    return { key: keyFromArguments(line), input, waitMs, isForced };
  },
  run: startKey,
});
