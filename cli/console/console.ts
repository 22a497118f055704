import { once } from 'node:events';
import type { Aws } from '../aws/aws';
import { clientsFor } from '../aws/clients';
import { sentenceFor } from '../aws/failures';
import { EXIT } from '../program/exit';
import { installHint } from '../program/install-hint';
import { answer, refuse } from '../program/program';
import { installedConsole } from './installed';
import { HELP, type Options, parseOptions } from './options';
import { type Place, placeAt } from './read-views';
import { type ConsoleServer, serveConsole } from './server';

const PROGRAM = { name: 'onceflow console', helpCommand: 'onceflow console --help' };

/** Serves the page until `ended` aborts, and gives the exit code. `args` are those after `console`. */
export function serve(args: readonly string[], ended: AbortSignal): Promise<number> {
  const program = { ...PROGRAM, help: HELP, parse: parseOptions };
  return answer({ ...program, run: options => serveUntil(ended, options) }, args);
}

async function serveUntil(ended: AbortSignal, options: Options): Promise<number> {
  const page = await installedConsole()?.readPage();
  if (!page) {
    return refuse(PROGRAM, `it needs @onceflow/console; ${installHint('@onceflow/console')}`);
  }
  const { endpoint, region, profile } = options;
  // The SDK's own chain of credentials reads it there.
  if (profile !== undefined) process.env['AWS_PROFILE'] = profile;
  const { env } = process;
  const aws = clientsFor({ endpoint, region }, env, ended);
  try {
    const problem = await problemOf(aws, options);
    if (problem !== undefined) return refuse(PROGRAM, problem);
    const server = await serveConsole(page, placeOf(aws, options, env), options.port).catch(portProblem);
    if (typeof server === 'string') return refuse(PROGRAM, server);
    process.stdout.write(
      options.json
        ? `${JSON.stringify({ url: server.url, pid: process.pid })}\n`
        : `The page is at ${server.url}\nCtrl-C ends it.\n`,
    );
    if (!ended.aborted) await once(ended, 'abort');
    await server.close();
    return EXIT.done;
  } finally {
    aws.close();
  }
}

/** Why nothing can be asked of AWS as it is: no region, no credentials. Nothing is asked for it but those. */
async function problemOf({ sfn }: Aws, { profile }: Options): Promise<string | undefined> {
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
function placeOf(aws: Aws, options: Options, env: NodeJS.ProcessEnv): Place {
  const { endpoint = env['AWS_ENDPOINT_URL'], region = env['AWS_REGION'], profile, stack } = options;
  const only = { stack, stateMachine: options['state-machine'], mayWrite: options['allow-writes'] };
  if (endpoint !== undefined) return placeAt(aws, { where: endpoint, isLocal: true, ...only });
  const named = [region ?? 'the default region', ...(profile === undefined ? [] : [`profile ${profile}`])];
  const where = `AWS, ${named.join(', ')}${stack === undefined ? '' : `, stack ${stack}`}`;
  return placeAt(aws, { where, isLocal: false, ...only });
}

/** What is wrong with the port, for a person. @throws every other error */
function portProblem(error: unknown): ConsoleServer | string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return `${message}: another program has the port; pass --port N, or --port 0`;
  if (code === 'EACCES') return `${message}: the port may not be used; pass --port N above 1023`;
  throw error;
}
