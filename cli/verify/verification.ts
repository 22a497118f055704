import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { ifInstalled, type Local } from '../app/installed';
import { newAssemblyDirectory } from '../app/synthesize';
import type { Aws } from '../aws/aws';
import { clientsFor, configFor, type Target } from '../aws/clients';
import { EXIT } from '../program/exit';
import { Rejection, usage } from '../program/rejection';
import { Deployment } from './deployment';
import {
  deployedEnvironment,
  type Environment,
  localEnvironment,
  type Outputs,
  outputsIn,
  STACK_NAME,
} from './environment';
import { claimsSeen, type Evidence, type ScenarioResult } from './evidence';
import { dollarsOf } from './figures';
import { keysScenario } from './keys';
import { runScenario } from './run-scenario';
import type { Transcript } from './scenario-run';
import { SCENARIOS, type Scenario } from './scenarios';

/** The subject of a verification, and its tools. */
export interface Verification {
  readonly target: Target;
  readonly env: NodeJS.ProcessEnv;
  readonly local: Local;
  /** Whether a scenario is wanted. */
  readonly isWanted: (name: string) => boolean;
  /** Whether the stack stays. */
  readonly isKept: boolean;
  readonly versions: Readonly<Record<string, string>>;
  readonly progress: (text: string) => void;
  /** Aborts with Ctrl-C: what was made is deleted nevertheless. */
  readonly ended: AbortSignal;
}

/** Writes the assembly of the stack into a directory. @throws Rejection without the CDK */
export function synthesizeStack(directory: string): void {
  const stack = ifInstalled('aws-cdk-lib', (): typeof import('./stack') => require('./stack'));
  if (!stack) throw usage('verify needs aws-cdk-lib and constructs. Run: npm install aws-cdk-lib constructs');
  stack.synthesizeInto(directory);
}

/**
 * Deploys, runs the scenarios, compares, and deletes what it has made, also after Ctrl-C.
 *
 * @throws Rejection where the stack cannot be made, and after Ctrl-C, when all is deleted: it says what is not
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
    const { results, transcripts, left } = await runOn(deployment, { ...verification, assembly, aws });
    const region = await aws.sfn.config.region();
    const isAws = hosts.size > 0 && [...hosts].every(host => /\.amazonaws\.com(?:\.cn)?$/.test(host));
    const transitions = results.reduce((sum, one) => sum + one.transitions, 0);
    return {
      isAws,
      endpoint: isAws ? null : [...hosts].join(', '),
      region,
      begunAt: begunAt.toISOString(),
      endedAt: new Date().toISOString(),
      versions: verification.versions,
      scenarios: results,
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

interface RunResults {
  readonly results: readonly ScenarioResult[];
  readonly transcripts: ReadonlyMap<string, Transcript>;
  readonly left: readonly string[];
}

async function runOn(
  deployment: Deployment,
  verification: Verification & { readonly assembly: string; readonly aws: Aws },
): Promise<RunResults> {
  const { assembly, aws, ended, isKept, isWanted, progress, local } = verification;
  const wanted = SCENARIOS.filter(({ name }) => isWanted(name));
  const keys = keysScenario(definitionIn(local, assembly));
  const scenarios = [...(isWanted(keys.name) ? [keys] : []), ...wanted];
  let left: readonly string[] = [];
  // The one about keys needs no stack.
  if (wanted.length === 0)
    return { ...(await runAt(deployedEnvironment(aws, outputsIn({})), scenarios, verification)), left };
  progress(`looking for a stack ${STACK_NAME} of an earlier run`);
  const before = await deployment.clean();
  try {
    const deployed = before.served ?? (await deployment.create(assembly, ended));
    const environment = deployedEnvironment(aws, hereOnly(outputsIn(deployed.outputs), verification));
    const found = await runAt(environment, scenarios, verification);
    if (isKept || before.served) return { ...found, left };
    left = await deployment.clean().then(after => after.left);
    return { ...found, left };
  } catch (error) {
    if (isKept || before.served) throw error;
    ({ left } = await deployment.clean());
    const told =
      left.length === 0 ? 'everything that was created is deleted' : `not deleted: ${left.join(', ')}`;
    if (ended.aborted) throw new Rejection(`interrupted; ${told}`, EXIT.interrupted);
    if (error instanceof Rejection) throw new Rejection(`${error.message}; ${told}`, error.code);
    throw error;
  }
}

async function runAt(
  remote: Environment,
  scenarios: readonly Scenario[],
  { local, assembly, ended, progress }: Verification & { readonly assembly: string },
): Promise<Omit<RunResults, 'left'>> {
  const runId = randomBytes(4).toString('hex');
  const here = await localEnvironment(local, assembly, ended);
  const results: ScenarioResult[] = [];
  const transcripts = new Map<string, Transcript>();
  try {
    for (const [index, scenario] of scenarios.entries()) {
      progress(`${scenario.name} (${index + 1} of ${scenarios.length}): ${scenario.about}`);
      const outcome = await runScenario(scenario, { remote, local: here, runId });
      results.push(outcome.result);
      if (outcome.transcript) transcripts.set(scenario.name, outcome.transcript);
    }
  } finally {
    await here.close();
  }
  return { results, transcripts };
}

/** The outputs without a URL on AWS, where the stack is elsewhere: no request of a run elsewhere goes to AWS. */
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
