import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App, Duration, Stack } from 'aws-cdk-lib';
import { Code, type FunctionProps, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { buildSync } from 'esbuild';
import { type LocalOptions, type LocalStack, startLocal, VirtualClock } from '../../index';

/** When stacks begin. */
export const T0 = Date.parse('2026-11-20T09:00:00.000Z');

const directory = mkdtempSync(path.join(tmpdir(), 'onceflow-stack-'));
const started: LocalStack[] = [];

afterEach(async () => {
  for (const stack of started.splice(0)) await stack.close();
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

let count = 0;

/** A directory of the test file's own. */
export function newDirectory(): string {
  count += 1;
  const made = path.join(directory, String(count));
  mkdirSync(made);
  return made;
}

/** Synthesizes one stack, named `Main`. */
export function synthesize(define: (stack: Stack) => void): string {
  const outdir = newDirectory();
  const app = new App({ outdir });
  define(new Stack(app, 'Main'));
  app.synth();
  return outdir;
}

/** A stack that is closed after the test, on a virtual clock. */
export interface Started {
  readonly stack: LocalStack;
  readonly clock: VirtualClock;
  /** What the functions have written. */
  readonly lines: readonly string[];
}

/** Starts what `define` defines, or an assembly. */
export async function start(
  define: string | ((stack: Stack) => void),
  options: Partial<LocalOptions> & { readonly at?: number } = {},
): Promise<Started> {
  const { at = T0, ...more } = options;
  const clock = new VirtualClock(at);
  const lines: string[] = [];
  const assembly = typeof define === 'string' ? define : synthesize(define);
  const log = (_name: string, text: string) => lines.push(text);
  const stack = await startLocal({ assembly, clock, seed: '1', log, ...more });
  started.push(stack);
  return { stack, clock, lines };
}

/** A function whose TypeScript is bundled with what it imports, as a deployed one is. */
export function bundled(
  scope: Construct,
  id: string,
  code: string,
  props: Partial<FunctionProps> = {},
): LambdaFunction {
  const made = newDirectory();
  // Beside this file, so that packages are found.
  const source = path.join(made, 'source.ts');
  writeFileSync(source, code);
  const outfile = path.join(made, 'code', 'index.js');
  const nodePaths = [path.join(__dirname, '../../../../node_modules')];
  buildSync({ entryPoints: [source], outfile, bundle: true, platform: 'node', target: 'node20', nodePaths });
  return new LambdaFunction(scope, id, {
    runtime: Runtime.NODEJS_22_X,
    handler: 'index.handler',
    code: Code.fromAsset(path.dirname(outfile)),
    // The default of three seconds ends a function on a machine that is busy.
    timeout: Duration.seconds(30),
    ...props,
  });
}

/** A state machine of the given states, the first one first. */
export function machine(
  scope: Construct,
  id: string,
  states: object,
  props: Partial<sfn.StateMachineProps> = {},
): sfn.StateMachine {
  const definition = { QueryLanguage: 'JSONata', StartAt: Object.keys(states)[0], States: states };
  return new sfn.StateMachine(scope, id, {
    stateMachineName: id,
    definitionBody: sfn.DefinitionBody.fromString(JSON.stringify(definition)),
    ...props,
  });
}

/** The bodies of all messages of a queue, in sight or not. */
export function bodiesOf({ stack }: Started, queue: string): readonly string[] {
  return (stack.queues.peek(queue) ?? []).map(({ body }) => body);
}
