import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import jsonata206 from 'jsonata206';

/** An expression, and the variables that it is evaluated with, one scope after the other. */
export interface Request {
  readonly expression: string;
  /** What functions give that are not the same twice, by their names. */
  readonly functions: Readonly<Record<string, unknown>>;
  readonly scopes: readonly Readonly<Record<string, unknown>>[];
}

/** A value; none where the expression fails, or gives nothing, which Step Functions takes for a failure. */
export interface Answer {
  readonly value?: unknown;
  readonly error?: string;
}

/** An implementation of JSONata of another language, which may be here. */
export interface Evaluator {
  readonly name: string;
  /** How it is started; undefined where it is not here. */
  readonly command: readonly [program: string, ...args: string[]] | undefined;
  /** What makes it be here. */
  readonly remedy: string;
}

const JAR =
  process.env['ONCEFLOW_JSONATA_JAR'] ??
  path.join(homedir(), '.m2/repository/com/dashjoin/jsonata/0.9.10/jsonata-0.9.10.jar');
const works = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;

/** The implementations that are derived from the one in JavaScript: AWS's may be any of them, or its own. */
export const EVALUATORS: readonly Evaluator[] = [
  {
    name: 'com.dashjoin:jsonata, in Java',
    command:
      existsSync(JAR) && works('java', '-version')
        ? // Most of its time is its start.
          ['java', '-XX:TieredStopAtLevel=1', '-cp', JAR, path.join(__dirname, 'Evaluator.java')]
        : undefined,
    remedy: 'mvn dependency:get -Dartifact=com.dashjoin:jsonata:0.9.10',
  },
  {
    name: 'jsonata-python',
    command: works('python3', '-c', 'import jsonata')
      ? ['python3', path.join(__dirname, 'evaluator.py')]
      : undefined,
    remedy: 'pip install jsonata-python==0.7.1',
  },
];

/** All answers of another implementation, from one process: a list for each request. */
export async function answersOf(
  { name, command }: Evaluator,
  requests: readonly Request[],
): Promise<Answer[][]> {
  const [program, ...args] = command ?? [''];
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(`${requests.map(request => JSON.stringify(request)).join('\n')}\n`);
  let text = '';
  for await (const part of child.stdout.setEncoding('utf8')) text += part;
  const lines = text.split('\n').filter(line => line !== '');
  if (lines.length !== requests.length)
    throw new Error(`${name} has answered ${lines.length} of ${requests.length}`);
  return lines.map(line => JSON.parse(line) as Answer[]);
}

/** The same of JSONata 2.0.6. */
export function answersOf206(requests: readonly Request[]): Promise<Answer[][]> {
  return Promise.all(requests.map(request => answers206(request)));
}

async function answers206({ expression, functions, scopes }: Request): Promise<Answer[]> {
  const compiled = jsonata206(`{'value': (${expression})}`);
  compiled.registerFunction(
    'hash',
    (text: string) => createHash('sha256').update(text).digest('hex'),
    '<s-s?:s>',
  );
  compiled.registerFunction('parse', (text: string) => JSON.parse(text), '<s-:x>');
  for (const [name, value] of Object.entries(functions)) compiled.registerFunction(name, () => value, '<:x>');
  const answers: Answer[] = [];
  for (const scope of scopes) {
    try {
      answers.push(JSON.parse(JSON.stringify(await compiled.evaluate(undefined, structuredClone(scope)))));
    } catch (error) {
      answers.push({ error: String((error as Error).message) });
    }
  }
  return answers;
}
