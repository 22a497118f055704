import { once } from 'node:events';
import { installedConsole } from '../app/installed';
import type { Aws } from '../aws/aws';
import { clientsFor, endpointProblem } from '../aws/clients';
import { sentenceFor } from '../aws/failures';
import { type Connection, connectionTo } from '../console/connection';
import { serveConsole } from '../console/server/server';
import { address, withoutSecrets } from '../program/address';
import { EXIT } from '../program/exit';
import { installHint } from '../program/install-hint';
import { flag, optional, optionHelp, type ValuesOf, wholeNumber } from '../program/options';
import { usage } from '../program/rejection';
import { command } from './command';

/** One above the local endpoint's. */
const CONSOLE_PORT = 8084;

const OPTIONS = {
  endpoint: address('URL', 'the address of a local stack (or AWS_ENDPOINT_URL; default: AWS)'),
  region: optional('REGION', 'the name of a region', 'the AWS region (or AWS_REGION)'),
  profile: optional('NAME', 'the name of a profile', 'the AWS profile with the credentials (or AWS_PROFILE)'),
  stack: optional(
    'NAME',
    'the name of a stack',
    'show only the workflows of this stack (default: of the region)',
  ),
  'state-machine': optional(
    'ARN|NAME',
    'an ARN, or a name',
    'show only the workflow of this state machine; pass its ARN if the credentials cannot list state machines',
  ),
  port: wholeNumber({
    valueName: 'N',
    help: `port of the page on 127.0.0.1, or 0 for a free one (default: ${CONSOLE_PORT})`,
    from: 0,
    to: 65_535,
    byDefault: CONSOLE_PORT,
  }),
  'allow-writes': flag(
    'the page can redrive, release, stop, start, redeliver and resend (default: it can only read)',
  ),
  json: flag('print one line of JSON on stdout when the page is ready, and for a failure'),
};

type ConsoleRequest = ValuesOf<typeof OPTIONS>;

/** Serves the page until the program is to end. */
export const console = command({
  name: 'console',
  line: ['console', 'serves a local page of keys, their executions, and any history step by step'],
  isServer: true,
  help: `Usage: onceflow console [options]

Serves a page on this machine that shows the keys of workflows, what happened to each, and the history of any
execution step by step. It calls AWS with your credentials, as \`onceflow list\` and \`onceflow show\` do. It only
reads, unless you pass --allow-writes. You must install @onceflow/console first. Press Ctrl-C to end it.

${optionHelp(OPTIONS)}
Examples:
  onceflow console --profile production --region eu-west-1 --stack Orders
  onceflow console --endpoint http://127.0.0.1:8083

Exit codes: 0 ended by Ctrl-C or SIGTERM, 2 wrong usage, no @onceflow/console, no region or credentials, an endpoint
that does not answer, or a port in use, 3 an internal error.
`,
  options: OPTIONS,
  wantedIn: ({ values }) => values,
  async run(wanted, { env, ended }) {
    const page = await installedConsole()?.readPage();
    if (!page) throw usage(`the console needs @onceflow/console; ${installHint('@onceflow/console')}`);
    const { endpoint, region, profile } = wanted;
    // The SDK's own chain of credentials reads it there.
    if (profile !== undefined) env['AWS_PROFILE'] = profile;
    const aws = clientsFor({ endpoint, region }, env, ended);
    try {
      // AWS itself is not asked before the page needs it.
      const isNamed = (endpoint ?? env['AWS_ENDPOINT_URL']) !== undefined;
      const problem = (await problemOf(aws, wanted)) ?? (isNamed ? await endpointProblem(aws) : undefined);
      if (problem !== undefined) throw usage(problem);
      const server = await serveConsole(page, connectionOf(aws, wanted, env), wanted.port).catch(portProblem);
      process.stdout.write(
        wanted.json
          ? `${JSON.stringify({ url: server.url, pid: process.pid })}\n`
          : `The page is at ${server.url}\nCtrl-C ends it.\n`,
      );
      if (!ended.aborted) await once(ended, 'abort');
      await server.close();
      return EXIT.done;
    } finally {
      aws.close();
    }
  },
});

/** Why nothing can be asked of AWS as it is: no region, no credentials. Nothing is asked for it but those. */
async function problemOf({ sfn }: Aws, { profile }: ConsoleRequest): Promise<string | undefined> {
  try {
    await sfn.config.region();
    await sfn.config.credentials();
    return undefined;
  } catch (error) {
    const sentence = sentenceFor(error, 'the page', 'this account');
    return profile === undefined ? sentence : `profile ${profile}: ${sentence}`;
  }
}

/** Where the options say to look. */
function connectionOf(aws: Aws, options: ConsoleRequest, env: NodeJS.ProcessEnv): Connection {
  const { endpoint = env['AWS_ENDPOINT_URL'], region = env['AWS_REGION'], profile, stack } = options;
  const only = { stack, stateMachine: options['state-machine'], mayWrite: options['allow-writes'] };
  if (endpoint !== undefined)
    return connectionTo(aws, { where: withoutSecrets(endpoint), isLocal: true, ...only });
  const named = [region ?? 'the default region', ...(profile === undefined ? [] : [`profile ${profile}`])];
  const where = `AWS, ${named.join(', ')}${stack === undefined ? '' : `, stack ${stack}`}`;
  return connectionTo(aws, { where, isLocal: false, ...only });
}

/** @throws Rejection for a port that cannot be used, and every other error */
function portProblem(error: unknown): never {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    throw usage(`${message}: another program uses this port. Pass --port N with a free one, or --port 0`);
  if (code === 'EACCES')
    throw usage(`${message}: you are not allowed to use this port. Pass --port N above 1023`);
  throw error;
}
