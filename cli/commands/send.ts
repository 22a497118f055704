import { SOURCES, sendToSource } from '../actions/send';
import { address } from '../program/address';
import { flag, oneOf, optional, optionHelp } from '../program/options';
import { command } from './command';
import { ANSWER_OPTIONS } from './shared-options';
import { EXIT_CODES } from './workflow-command';

/** The default endpoint of `onceflow dev`. */
const ENDPOINT = 'http://127.0.0.1:8083';

const OPTIONS = {
  source: oneOf({
    valueName: Object.keys(SOURCES).join('|'),
    words: Object.keys(SOURCES) as (keyof typeof SOURCES)[],
    help: 'through this source of the workflow (default: the first of these that it has)',
    byDefault: undefined,
  }),
  input: optional(
    'JSON|FILE|-',
    'JSON, a file, or - for stdin',
    'the detail of the event, the body of the message or of the request (default: an example that the workflow takes)',
  ),
  key: optional('TEXT', 'a text', 'the Idempotency-Key of a request by HTTP (default: key-1)'),
  'state-machine': optional(
    'NAME',
    'a name, or the id of a construct',
    'to this workflow (default: the first)',
  ),
  endpoint: address('URL', `the stack (or AWS_ENDPOINT_URL; default: ${ENDPOINT}, that of \`onceflow dev\`)`),
  'dry-run': flag('only show what it would send'),
  ...ANSWER_OPTIONS,
};

/** Sends an event to a workflow on this machine, as its publishers do. */
export const send = command({
  name: 'send',
  line: ['send', 'sends an event, a message or a request to a workflow that `onceflow dev` runs'],
  help: `Usage: onceflow send [options]

Sends an event through a source of a workflow that \`onceflow dev\` runs: an event bus, a custom event bus, a queue, a
topic, or HTTP. Without --input it is the example that \`onceflow dev\` prints. Send it twice to see a duplicate.

${optionHelp(OPTIONS)}
Examples:
  onceflow send
  onceflow send --input '{"orderId":"order-7","amount":12.5,"currency":"EUR"}'
  onceflow send --source queue --input order-7.json --json

${EXIT_CODES}`,
  options: OPTIONS,
  wantedIn({ values }, env) {
    const { source, input, key, 'state-machine': workflow, 'dry-run': isPlan } = values;
    const endpoint = values.endpoint ?? (env['AWS_ENDPOINT_URL'] || ENDPOINT);
    return { source, input, key, workflow, isPlan, endpoint };
  },
  run: (wanted, { terminal }) => sendToSource(wanted, terminal),
});
