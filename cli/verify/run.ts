import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { ifInstalled, type Local } from '../app/installed';
import { newAssemblyDirectory } from '../app/synthesize';
import type { Aws } from '../aws/aws';
import { clientsFor, configFor, type Target } from '../aws/clients';
import { EXIT } from '../program/exit';
import { Refusal, usage } from '../program/refusal';
import { CONVERSATIONS, type Conversation } from './conversations';
import { Deployment } from './deployment';
import { claimsSeen, type Evidence, type Held } from './evidence';
import { dollarsOf } from './figures';
import { hold } from './hold';
import { keysConversation } from './keys';
import { deployedPlace, localPlace, type Outputs, outputsIn, type Place } from './place';
import { STACK_NAME } from './stack-name';
import type { Transcript } from './talk';

/** What is to be verified, and with what. */
export interface Verification {
  readonly target: Target;
  readonly env: NodeJS.ProcessEnv;
  readonly local: Local;
  /** Whether a conversation is held. */
  readonly isWanted: (name: string) => boolean;
  /** Whether the stack stays. */
  readonly isKept: boolean;
  readonly versions: Readonly<Record<string, string>>;
  readonly progress: (text: string) => void;
  /** Aborts with Ctrl-C: what was made is deleted nevertheless. */
  readonly ended: AbortSignal;
}

/** Writes the assembly of the stack into a directory. @throws Refusal without the CDK */
export function synthesizeStack(directory: string): void {
  const stack = ifInstalled('aws-cdk-lib', (): typeof import('./stack') => require('./stack'));
  if (!stack) throw usage('verify needs aws-cdk-lib and constructs. Run: npm install aws-cdk-lib constructs');
  stack.synthesizeInto(directory);
}

/**
 * Deploys, holds the conversations, compares, and deletes what it has made, also after Ctrl-C.
 *
 * @throws Refusal where the stack cannot be made, and after Ctrl-C, when all is deleted: it says what is not
 */
export async function verified(verification: Verification): Promise<Evidence> {
  const { target, env, ended, progress } = verification;
  const assembly = await newAssemblyDirectory();
  const aws = clientsFor(target, env, ended);
  const hosts = hostsAsked(aws);
  const deployment = new Deployment({ config: configFor(target, env), progress });
  try {
    synthesizeStack(assembly);
    const begunAt = new Date();
    const { held, transcripts, left } = await heldOn(deployment, { ...verification, assembly, aws });
    const region = await aws.sfn.config.region();
    const isAws = hosts.size > 0 && [...hosts].every(host => /\.amazonaws\.com(?:\.cn)?$/.test(host));
    const transitions = held.reduce((sum, one) => sum + one.transitions, 0);
    return {
      isAws,
      endpoint: isAws ? null : [...hosts].join(', '),
      region,
      begunAt: begunAt.toISOString(),
      endedAt: new Date().toISOString(),
      versions: verification.versions,
      conversations: held,
      claims: claimsSeen(transcripts),
      transitions,
      dollars: dollarsOf(transitions),
      left,
    };
  } finally {
    deployment.close();
    aws.close();
    await rm(assembly, { recursive: true, force: true });
  }
}

interface Found {
  readonly held: readonly Held[];
  readonly transcripts: ReadonlyMap<string, Transcript>;
  readonly left: readonly string[];
}

async function heldOn(
  deployment: Deployment,
  verification: Verification & { readonly assembly: string; readonly aws: Aws },
): Promise<Found> {
  const { assembly, aws, ended, isKept, isWanted, progress, local } = verification;
  const wanted = CONVERSATIONS.filter(({ name }) => isWanted(name));
  const keys = keysConversation(definitionIn(local, assembly));
  const conversations = [...(isWanted(keys.name) ? [keys] : []), ...wanted];
  let left: readonly string[] = [];
  // The one about keys needs no stack.
  if (wanted.length === 0)
    return { ...(await heldAt(deployedPlace(aws, outputsIn({})), conversations, verification)), left };
  progress(`looking for a stack ${STACK_NAME} of an earlier run`);
  const before = await deployment.clean();
  try {
    const deployed = before.served ?? (await deployment.create(assembly, ended));
    const place = deployedPlace(aws, hereOnly(outputsIn(deployed.outputs), verification));
    const found = await heldAt(place, conversations, verification);
    if (isKept || before.served) return { ...found, left };
    left = await deployment.clean().then(after => after.left);
    return { ...found, left };
  } catch (error) {
    if (isKept || before.served) throw error;
    ({ left } = await deployment.clean());
    const told =
      left.length === 0 ? 'everything that was created is deleted' : `not deleted: ${left.join(', ')}`;
    if (ended.aborted) throw new Refusal(`interrupted; ${told}`, EXIT.interrupted);
    if (error instanceof Refusal) throw new Refusal(`${error.message}; ${told}`, error.code);
    throw error;
  }
}

async function heldAt(
  there: Place,
  conversations: readonly Conversation[],
  { local, assembly, ended, progress }: Verification & { readonly assembly: string },
): Promise<Omit<Found, 'left'>> {
  const run = randomBytes(4).toString('hex');
  const here = await localPlace(local, assembly, ended);
  const held: Held[] = [];
  const transcripts = new Map<string, Transcript>();
  try {
    for (const [index, conversation] of conversations.entries()) {
      progress(`${conversation.name} (${index + 1} of ${conversations.length}): ${conversation.about}`);
      const outcome = await hold(conversation, { there, local: here, run });
      held.push(outcome.held);
      if (outcome.transcript) transcripts.set(conversation.name, outcome.transcript);
    }
  } finally {
    await here.close();
  }
  return { held, transcripts };
}

/** The outputs without a URL on AWS, where the stack is elsewhere: nothing of a run there is sent to AWS. */
function hereOnly(outputs: Outputs, { target, env }: Verification): Outputs {
  const isElsewhere = (target.endpoint ?? env['AWS_ENDPOINT_URL']) !== undefined;
  const isOnAws = /^https:\/\/[\w.-]+\.amazonaws\.com(?:\.cn)?\//.test(outputs.url);
  return isElsewhere && isOnAws ? { ...outputs, url: '' } : outputs;
}

/** The definition of the workflow. */
function definitionIn(local: Local, assembly: string): string {
  const { stateMachines } = local.readAssembly(path.resolve(assembly));
  return stateMachines.find(({ logicalId }) => /^WorkflowStateMachine/.test(logicalId))?.definitionText ?? '';
}

/** The hosts that requests are sent to: whatever the settings say, these answer. */
function hostsAsked({ sfn }: Aws): ReadonlySet<string> {
  const hosts = new Set<string>();
  sfn.middlewareStack.add(
    next => args => {
      const { hostname = '', port } = args.request as { readonly hostname?: string; readonly port?: number };
      hosts.add(port === undefined ? hostname : `${hostname}:${port}`);
      return next(args);
    },
    { step: 'finalizeRequest', name: 'onceflowHosts', priority: 'low' },
  );
  return hosts;
}
