import type { SFNClient } from '@aws-sdk/client-sfn';
import { Key, startOnce } from 'onceflow/client';

/** A tool, and its input: the request of a model. */
export interface ToolCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** The answer to a call that the model gets. */
export type ToolAnswer =
  | { readonly result: unknown }
  | { readonly error: string; readonly cause: string }
  /** The tool still works: ask again, with the same arguments. */
  | { readonly inProgress: true };

/** Asks for the next call when it has read the answers so far; undefined: the work is done. */
export type Model = (answers: readonly ToolAnswer[]) => ToolCall | undefined;

/** Makes a tool call of a run. */
export type CallTool = (run: string, call: ToolCall) => Promise<ToolAnswer>;

/** The loop of an agent. Nothing in it remembers what was done: played again, it makes the same calls again. */
export async function runAgent(run: string, model: Model, callTool: CallTool): Promise<ToolAnswer[]> {
  const answers: ToolAnswer[] = [];
  for (let call = model(answers); call !== undefined; call = model(answers)) {
    answers.push(await callTool(run, call));
  }
  return answers;
}

/** Where the tools are. */
export interface Tools {
  readonly client: SFNClient;
  readonly table: string;
  /** The workflow of tools whose failures may pass, and of those whose failure is the answer. */
  readonly retriedArn: string;
  readonly decidedArn: string;
}

/** Tools whose failure is a decision. */
const DECIDED: readonly string[] = ['refund'];

const WAIT_MS = 30_000;

/**
 * Makes a tool call of a run, once: for the same run, tool and arguments it answers with what the first call has led
 * to. The order of the arguments does not matter. `requestId` is what frameworks give each try; it goes along for who
 * reads the execution, and makes no other call of it.
 */
export async function callToolOnce(
  { client, table, retriedArn, decidedArn }: Tools,
  run: string,
  call: ToolCall,
  requestId: string,
): Promise<ToolAnswer> {
  const isDecided = DECIDED.includes(call.tool);
  const answer = await startOnce(client, {
    stateMachineArn: isDecided ? decidedArn : retriedArn,
    table,
    scope: isDecided ? 'Decided' : 'Retried',
    key: Key.ofPayload({ run, tool: call.tool, arguments: call.arguments }),
    input: { run, ...call, requestId },
    waitUpTo: WAIT_MS,
  });
  if (answer.outcome === 'inProgress') return { inProgress: true };
  if (answer.outcome === 'failed') return { error: answer.error, cause: answer.cause };
  return { result: answer.result };
}
