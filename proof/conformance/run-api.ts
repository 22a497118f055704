import { startApi } from '../../packages/local/api/server';
import type { ApiCase, AwaitStep, CallStep } from './cases/recorded-case';
import { type References, resolveReferences } from './cases/references';
import { type Answer, compareCalls, PARAMETER_ERROR } from './compare/recorded';
import { othersTurn, runUntilIdle } from './environment/run-until-idle';
import { openTestEnvironment, type TestEnvironment } from './environment/test-environment';
import { failedBecause, type Outcome, outcomeOf, skippedFor } from './outcome';
import { lackingIn } from './rejection';

/** Makes the calls of a case over HTTP, in order, and compares the answers. */
export async function runApi(recorded: ApiCase, signal: AbortSignal): Promise<Outcome> {
  const environment = await openTestEnvironment(recorded, signal);
  try {
    const options = { newRequestId: environment.newRequestId, report: environment.report };
    const api = await startApi(environment.routes, options);
    environment.defer(api.close);
    return await makeCalls(recorded, environment, api.endpoint);
  } finally {
    await environment.close();
  }
}

async function makeCalls(
  recorded: ApiCase,
  environment: TestEnvironment,
  endpoint: string,
): Promise<Outcome> {
  const references = new Map(environment.references);
  const answers: (Answer | undefined)[] = [];
  for (const step of recorded.calls) {
    if ('await' in step) await waitFor(step, environment, references);
    const isSent = 'op' in step && step.error?.type !== PARAMETER_ERROR;
    const answer = isSent ? await call(endpoint, step, references, environment) : undefined;
    answers.push(answer);
    if ('op' in step && answer) remember(step, answer, references);
    const lacking = 'op' in step ? lackingFor(step, answer) : undefined;
    if (lacking !== undefined) return skippedFor(lacking);
  }
  const [problem] = environment.problems;
  if (problem !== undefined) return failedBecause(`internal error: ${problem}`);
  return outcomeOf(compareCalls(recorded, answers, environment.references));
}

/** What the recorder waited for, as far as it takes time to pass; everything else here is so at once. */
async function waitFor(step: AwaitStep, environment: TestEnvironment, references: References): Promise<void> {
  if (!ENDS.test(step.await)) return environment.runtime.work.idle();
  const executionArn = resolveReferences(step.args?.['execution_arn'] ?? step.args?.['arn'], references);
  await runUntilIdle(environment, () => !environment.runtime.running().includes(String(executionArn)));
}

const ENDS = /succeeded|terminated|aborted|with status/;

async function call(
  endpoint: string,
  { op, request }: CallStep,
  references: References,
  environment: TestEnvironment,
): Promise<Answer> {
  let isAnswered = false;
  const resolved = resolveReferences(request, references);
  const answer = send(endpoint, op, withMapRun(resolved, references)).finally(() => {
    isAnswered = true;
  });
  // The answer may be hours of the case's clock away; it never is before the request has got there.
  while (TAKES_TIME.has(op) && !isAnswered && !environment.signal.aborted) {
    await runUntilIdle(environment, () => isAnswered);
    await othersTurn();
  }
  return answer;
}

/** Operations that answer when something has happened. */
const TAKES_TIME: ReadonlySet<string> = new Set(['GetActivityTask', 'StartSyncExecution']);

async function send(endpoint: string, op: string, request: unknown): Promise<Answer> {
  const answer = await fetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `AWSStepFunctions.${op}` },
    body: JSON.stringify(request),
  });
  const body = (await answer.json()) as Readonly<Record<string, unknown>>;
  if (answer.ok) return { kind: 'response', response: body };
  const type = String(body['__type']);
  return { kind: 'error', code: type.slice(type.indexOf('#') + 1), message: String(body['message']) };
}

/** Of a Map Run the recordings keep no reference: where they ask for one, that is the one which was listed. */
function withMapRun(request: unknown, references: References): unknown {
  const listed = references.get(MAP_RUN);
  const asksForOne = typeof request === 'object' && request !== null && 'mapRunArn' in request;
  return asksForOne && listed !== undefined ? { ...request, mapRunArn: listed } : request;
}

const MAP_RUN = 'listed Map Run';

/** Later requests may refer to members of this answer. */
function remember({ id }: CallStep, answer: Answer, references: Map<string, string>): void {
  if (answer.kind === 'error' || typeof answer.response !== 'object' || answer.response === null) return;
  const { mapRuns } = answer.response as { readonly mapRuns?: readonly { readonly mapRunArn: string }[] };
  if (mapRuns?.[0]) references.set(MAP_RUN, mapRuns[0].mapRunArn);
  for (const [name, value] of Object.entries(answer.response)) {
    if (typeof value === 'string') references.set(`${id}.${name}`, value);
  }
}

/** What the runtime lacks for a definition that the service accepted, and that was rejected here. */
function lackingFor({ error, response }: CallStep, answer: Answer | undefined): string | undefined {
  if (answer === undefined) return undefined;
  if (answer.kind === 'error') {
    const lacking = lackingIn(answer.message);
    return error === undefined ? lacking : undefined;
  }
  if (error !== undefined) return undefined;
  const isAccepted = (response as { readonly result?: unknown } | undefined)?.result === 'OK';
  const { diagnostics } = answer.response as { readonly diagnostics?: readonly Diagnostic[] };
  if (!isAccepted || !diagnostics) return undefined;
  return lackingIn(diagnostics.map(({ code, message }) => `${code}: ${message} at null`).join(', '));
}

interface Diagnostic {
  readonly code: string;
  readonly message: string;
}
