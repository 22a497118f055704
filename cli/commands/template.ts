import { writeFileSync } from 'node:fs';
import type { PlainObject, WorkflowTemplate } from 'onceflow';
import { requireConstructs } from '../app/installed';
import { readDocument } from '../app/read-document';
import { jsonIn } from '../input-file';
import { EXIT } from '../program/exit';
import { flag, optional, optionHelp, repeatable, type ValuesOf } from '../program/options';
import { usage } from '../program/rejection';
import { command } from './command';
import { ANSWER_OPTIONS, durationOption } from './shared-options';

const OPTIONS = {
  key: repeatable(
    optional(
      'EXPR',
      'a JSONata expression',
      '`idempotencyKey`, in {% %}; repeat it for each part of a composite key',
    ),
    [],
  ),
  payload: optional('EXPR', 'a JSONata expression', '`payload`, in {% %}'),
  source: repeatable(
    optional(
      'SOURCE',
      'a source',
      'what starts the workflow: bus or bus=NAME (with --pattern), queue or queue=ARN, topic or topic=ARN, http=PATH, ' +
        'schedule=EXPRESSION; can be repeated. Without an ARN, the template creates the queue or topic',
    ),
    [],
  ),
  pattern: optional(
    'JSON',
    'a JSON object',
    'the event pattern of --source bus, such as \'{"source":["shop.orders"]}\'',
  ),
  step: optional(
    'ARN',
    'an ARN',
    'the default of the parameter StepFunctionArn: the function that runs once per key',
  ),
  retention: durationOption({
    help: 'the default of the parameter RetentionSeconds (default: 90d)',
    byDefault: undefined,
  }),
  alarms: optional(
    'ARN',
    'an ARN',
    'add alarms and a dashboard; the default of AlarmTopicArn, which they notify',
  ),
  'permissions-boundary': optional(
    'ARN',
    'an ARN',
    'the default of PermissionsBoundaryArn: the permissions boundary of every role',
  ),
  scope: optional('NAME', 'a scope', 'prefix of each key in the table (default: Workflow)'),
  asl: flag(
    'print only the definition of the state machine; with --json also its substitutions and IAM statements',
  ),
  output: optional('FILE', 'a file', 'write to FILE instead of stdout'),
  ...ANSWER_OPTIONS,
};

/** Prints a workflow as a CloudFormation template, or its definition. */
export const template = command({
  name: 'template',
  line: [
    'template [FILE]',
    'prints a workflow as a CloudFormation template, for SAM, Terraform or the AWS CLI',
  ],
  positional: 'file',
  help: `Usage: onceflow template [FILE] [options]

Prints a workflow as one CloudFormation template: its state machines, functions, table, roles and sources. You can
deploy the template without assets and without CDK's bootstrap. FILE (JSON or YAML) contains the props of
IdempotentWorkflow, \`sources\`, \`monitoring\` and \`permissionsBoundary\`; if a prop is also an option, the option
wins. You must install aws-cdk-lib and constructs to run this command, but not to deploy the template.

${optionHelp(OPTIONS)}
Examples:
  onceflow template --key '{% $states.input.detail.orderId %}' --source bus --pattern '{"source":["shop.orders"]}'
  onceflow template workflow.yaml --output template.json
  onceflow template workflow.yaml --asl

Exit codes: 0 done, 2 wrong usage, a prop that the construct rejects, or no aws-cdk-lib, 3 internal error.
`,
  options: OPTIONS,
  wantedIn({ values, positionals: [file, ...others] }) {
    if (others.length > 0)
      throw usage(`pass one FILE that contains all props; got ${others.length + 1} files`);
    if (file === undefined && values.key.length === 0)
      throw usage('which workflow? Pass FILE with its props, or at least --key');
    return { ...values, file };
  },
  async run({ file, output, ...wanted }) {
    const { workflowTemplate } = requireConstructs('template');
    const inFile = (file === undefined ? {} : readDocument(file)) as PlainObject;
    const props = { ...inFile, ...propsOf(wanted, inFile) };
    const { template: made, bytesMax, asl, warnings } = rejecting(() => workflowTemplate(props));
    for (const warning of warnings) process.stderr.write(`warning: ${inOwnWords(warning)}\n`);
    const body = wanted.asl ? JSON.stringify(asl.definition, null, 2) : JSON.stringify(made);
    const bytes = Buffer.byteLength(body);
    const isFile = output !== undefined;
    if (isFile) write(output, `${body}\n`);
    if (!wanted.json && !wanted.asl) process.stderr.write(deployment(bytes, bytesMax, output ?? 'FILE'));
    return {
      code: EXIT.done,
      json: wanted.asl ? asl : { template: made, bytes, bytesMax, warnings },
      text: () => (isFile ? '' : `${body}\n`),
    };
  },
});

type TemplateRequest = Pick<
  ValuesOf<typeof OPTIONS>,
  | 'key'
  | 'payload'
  | 'step'
  | 'retention'
  | 'scope'
  | 'source'
  | 'pattern'
  | 'alarms'
  | 'permissions-boundary'
>;

/** The props that options say, by the names that a file has for them. */
function propsOf(options: TemplateRequest, inFile: PlainObject): PlainObject {
  const { key, payload, step, retention, scope, source, pattern, alarms } = options;
  const permissionsBoundary = options['permissions-boundary'];
  return {
    ...(key.length > 0 && { idempotencyKey: key.length === 1 ? (key[0] ?? '') : key }),
    ...(payload !== undefined && { payload }),
    ...(step !== undefined && { step }),
    ...(retention !== undefined && { retention: `PT${Math.ceil(retention / 1000)}S` }),
    ...(scope !== undefined && { scope }),
    // The other options of the file's alarms stay.
    ...(alarms !== undefined && {
      monitoring: { ...(inFile['monitoring'] as PlainObject | undefined), topic: alarms },
    }),
    ...(permissionsBoundary !== undefined && { permissionsBoundary }),
    ...(source.length > 0 && { sources: source.map(one => sourceOf(one, pattern)) }),
  };
}

/** The member of a source that its option says behind `=`, and its name in `sources`. */
const SOURCES: Readonly<Record<string, readonly [name: string, member: string]>> = {
  bus: ['eventBridge', 'eventBus'],
  queue: ['queue', 'queue'],
  topic: ['topic', 'topic'],
  http: ['http', 'resource'],
  schedule: ['schedule', 'schedule'],
};

function sourceOf(text: string, pattern: string | undefined): PlainObject {
  const [, kind = '', value] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
  const known = Object.hasOwn(SOURCES, kind) ? SOURCES[kind] : undefined;
  if (!known)
    throw usage(
      `--source must be one of ${Object.keys(SOURCES).join(', ')}, with =VALUE if needed; got ${JSON.stringify(text)}`,
    );
  const [name, member] = known;
  if (kind === 'bus' && pattern === undefined)
    throw usage(
      '--source bus needs --pattern, which selects the events that start the workflow, such as \'{"source":["shop.orders"]}\'',
    );
  return {
    [name]: {
      ...(value !== undefined && { [member]: value }),
      ...(kind === 'bus' && { eventPattern: patternIn(pattern ?? '') }),
    },
  };
}

function patternIn(text: string): PlainObject {
  const pattern = jsonIn(text, '--pattern');
  if (typeof pattern === 'object' && pattern !== null && !Array.isArray(pattern))
    return pattern as PlainObject;
  throw usage('--pattern must be a JSON object');
}

/** A rejection by the constructs is about the command line; any other error is a fault. */
function rejecting(make: () => WorkflowTemplate): WorkflowTemplate {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof Error) || /^(?:Type|Range|Reference)Error$/.test(error.name)) throw error;
    throw usage(inOwnWords(error.message));
  }
}

/** On one line, and without what means something in a CDK app alone: the path of the construct, an id to acknowledge. */
function inOwnWords(message: string): string {
  return message
    .replace(/\s*\n\s*/g, ' ')
    .replace(/^Template[^ ]*: /, '')
    .replace(/, or acknowledge this warning| \[ack: .*\]$/g, '');
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw usage(`--output: ${file} cannot be written (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** How large the template is, and how it is deployed. */
function deployment(bytes: number, bytesMax: number, file: string): string {
  const isTooLarge = bytes > bytesMax;
  const size = `${bytes} bytes; CloudFormation accepts ${bytesMax} in a request`;
  const bucket = isTooLarge ? ' --s3-bucket BUCKET' : '';
  const how = `aws cloudformation deploy --template-file ${file} --stack-name NAME --capabilities CAPABILITY_IAM`;
  return `${size}${isTooLarge ? ', and more from a bucket' : ''}:\n${how}${bucket} --parameter-overrides StepFunctionArn=ARN\n`;
}
