import type { Send } from '../app/sends';
import { COMMAND } from '../program/hints';
import { installHint } from '../program/install-hint';
import type { Summary } from './summary';

/** A stack that is ready, for people: what there is, and a command for the AWS CLI and the SDK to paste. */
export function renderSummary(summary: Summary): string {
  const { endpoint, state, resumed } = summary;
  const rows: [string, readonly string[]][] = [
    ['endpoint', [endpoint]],
    ['console', [summary.console ?? `not installed; ${installHint('@onceflow/console')}`]],
    ['state machine', summary.stateMachines.map(({ name }) => name)],
    ['table', summary.tables],
    ['function', summary.functions],
    ['event bus', summary.eventBuses],
    ['queue', summary.queues],
    ['topic', summary.topics],
    ['bucket', summary.buckets],
    ['REST API', summary.restApis.flatMap(apiLines)],
    ['not run', summary.notRun],
    ['state', [state ?? 'in memory; --state DIR keeps it']],
    ...(resumed > 0 ? [['resumed', [goingOn(resumed)]] as [string, string[]]] : []),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.flatMap(([name, values]) =>
    values.map((value, index) => `  ${(index === 0 ? name : '').padEnd(width)}  ${value}`),
  );
  const sections = [
    lines.join('\n'),
    ...sendsThroughSources(summary),
    ...starts(summary),
    ...aboutExample(summary),
    'Ctrl-C ends it.',
  ];
  return `${sections.join('\n\n')}\n`;
}

/** So many methods stand in a line; the others are counted. */
const METHODS_MAX = 4;

/** The URL with its methods, without those that only answer a browser's preflight. */
function apiLines({ url, methods }: Summary['restApis'][number]): readonly string[] {
  const asked = methods.filter(method => !method.startsWith('OPTIONS '));
  const more = asked.length > METHODS_MAX ? `, and ${asked.length - METHODS_MAX} more` : '';
  return [`${url}  ${asked.slice(0, METHODS_MAX).join(', ')}${more}`];
}

/** A command for each source of the app, because a source is how a workflow is started when deployed. */
function sendsThroughSources({ sends, endpoint, region, queues }: Summary): readonly string[] {
  return sends.map(send => {
    const [what, command] = commandOf(send, queues);
    return `${what}:\n\n${send.kind === 'request' ? command : awsCli(command, { endpoint, region })}`;
  });
}

function commandOf(send: Send, queues: Summary['queues']): readonly [what: string, command: string] {
  switch (send.kind) {
    case 'request': {
      const method = send.method === 'POST' ? '' : ` -X ${send.method}`;
      const body = quotable(send.body);
      return ['By HTTP', `curl -i${method} ${send.url} -H 'Idempotency-Key: "key-1"' --json '${body}'`];
    }
    case 'event': {
      const { eventBus: EventBusName, source: Source, detailType: DetailType, detail } = send;
      const entry = { EventBusName, Source, DetailType, Detail: JSON.stringify(detail) };
      return ['An event, with the AWS CLI', `events put-events \\\n  --entries '${quotable([entry])}'`];
    }
    case 'customEvent': {
      const { eventBusArn, source: Source, detailType: DetailType, detail } = send;
      const entries = quotable([{ Source, DetailType, Detail: JSON.stringify(detail) }]);
      return [
        'An event on a custom event bus, with the AWS CLI from version 2.37.3',
        `eventsv2 put-events \\\n  --event-bus-arn ${eventBusArn} \\\n  --entries '${entries}'`,
      ];
    }
    case 'message': {
      const url = queues.find(one => one.endsWith(`/${send.queue}`)) ?? send.queue;
      const fifo = send.queue.endsWith('.fifo')
        ? ' \\\n  --message-group-id example --message-deduplication-id example-1'
        : '';
      return [
        'A message to a queue',
        `sqs send-message \\\n  --queue-url ${url}${fifo} \\\n  --message-body '${quotable(send.body)}'`,
      ];
    }
    case 'notification':
      return [
        'A message to a topic',
        `sns publish \\\n  --topic-arn ${send.topicArn} \\\n  --message '${quotable(send.message)}'`,
      ];
  }
}

/** Starts the workflow by its key. If no key is known, prints the start of a state machine, which has a random name. */
function starts(summary: Summary): readonly string[] {
  const { example, endpoint } = summary;
  if (!example?.key) {
    const { cli, sdk } = commandsFor(summary);
    return [
      `With the AWS CLI:\n\n${cli}`,
      `With the SDK, in a folder where @aws-sdk/client-sfn is installed:\n\n${sdk}`,
    ];
  }
  const which = example.workflowName === null ? '' : ` --state-machine ${example.workflowName}`;
  const start = `${COMMAND} start ${example.key.join(' ')}${which} --endpoint ${endpoint} --input -`;
  return [`By its key, without a source:\n\necho '${quotable(example.input)}' |\n  ${start}`];
}

/** JSON within the quotes of a shell, which a quote would end. */
function quotable(value: object): string {
  return JSON.stringify(value).replaceAll("'", '\\u0027');
}

const CREDENTIALS = 'AWS_ACCESS_KEY_ID=local AWS_SECRET_ACCESS_KEY=local';

/** A command for the AWS CLI. The region is an option, because version 1 does not read AWS_REGION. */
function awsCli(command: string, { endpoint, region }: Pick<Summary, 'endpoint' | 'region'>): string {
  return `${CREDENTIALS} aws --region ${region} --endpoint-url ${endpoint} ${command}`;
}

/** Commands for a shell that start an execution, or list the machines where there is none. */
export function commandsFor({ endpoint, region, example }: Summary): { cli: string; sdk: string } {
  const cli = (command: string) => awsCli(`stepfunctions ${command}`, { endpoint, region });
  const client = `new SFN({ endpoint: "${endpoint}", region: "${region}" })`;
  const sdk = (call: string) =>
    `${CREDENTIALS} node -e '
  const { SFN } = require("@aws-sdk/client-sfn");
  ${client}.${call}.then(console.log)'`;
  if (example === null) return { cli: cli('list-state-machines'), sdk: sdk('listStateMachines()') };
  const { stateMachineArn } = example;
  const input = quotable(example.input);
  const request = `{ stateMachineArn: "${stateMachineArn}", input: ${JSON.stringify(input)} }`;
  return {
    cli: cli(`start-execution \\\n  --state-machine-arn ${stateMachineArn} \\\n  --input '${input}'`),
    sdk: sdk(`startExecution(${request})`),
  };
}

/** The facts of the example's input, and the command that shows its outcome. */
function aboutExample({ example, endpoint }: Summary): readonly string[] {
  if (example === null) return [];
  const { key, about, workflowName } = example;
  if (key === null) return [about];
  const which = workflowName === null ? '' : ` --state-machine ${workflowName}`;
  return [about, `The story of its key:\n\n${COMMAND} show ${key.join(' ')}${which} --endpoint ${endpoint}`];
}

function goingOn(executions: number): string {
  return executions === 1 ? '1 execution continues' : `${executions} executions continue`;
}
