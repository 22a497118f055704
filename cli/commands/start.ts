import { startKey } from '../actions/start';
import { flag, optional } from '../program/options';
import { usage } from '../program/refusal';
import { age, KEY_OPTIONS, YES } from './shared-options';
import { keyIn, workflowCommand } from './workflow-command';

/** Starts the workflow once for a key. */
export const start = workflowCommand({
  name: 'start',
  line: ['start KEY', 'starts the workflow for a key, once'],
  usage: 'start KEY [PART...] --input FILE|- [options]',
  does: [
    'Starts the workflow for a key, as startOnce does: what has been done is not done again, and is answered with its',
    "result. KEY must be what the workflow's idempotencyKey gives for this input: the input decides what is done.",
  ],
  keyOptions: KEY_OPTIONS,
  options: {
    input: optional(
      'FILE|-',
      'a file, or - for stdin',
      "the execution's input, as JSON; - reads it from stdin",
    ),
    wait: age({
      help: 'wait so long for the result: 30s, 5m (default: not at all)',
      byDefault: undefined,
    }),
    force: flag('also where nobody can say here which key the workflow takes of the input'),
    ...YES,
  },
  examples: [
    'onceflow start order-7 --input order-7.json --wait 30s',
    `echo '{"detail":{"orderId":"order-7","amount":12.5,"currency":"EUR"}}' | onceflow start order-7 --input -`,
  ],
  wantedIn(line) {
    const { input, wait: waitMs, force: isForced } = line.values;
    if (input === undefined) throw usage('start needs --input FILE, or --input - for stdin');
    return { key: keyIn(line), input, waitMs, isForced };
  },
  run: startKey,
});
