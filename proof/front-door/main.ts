import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EXIT } from '../../cli/program/exit';
import { exitOnBrokenPipe } from '../../cli/program/output';
import { reject, runProgram } from '../../cli/program/program';
import { progressOn } from '../../cli/program/progress';
import { endedBySignal } from '../../cli/program/signals';
import { runChaos } from './chaos';
import type { Conversation } from './conversation';
import { PLAIN_CONVERSATIONS } from './conversations/plain';
import { CONVERSATIONS_WITH_FAULTS } from './conversations/with-faults';
import { localTarget } from './local-target';
import { HELP, type Options, parseOptions } from './options';
import { isRight, renderChaos, renderOutcomes } from './report';
import { type Outcome, runConversation } from './run-conversation';
import { synthesizeFrontDoor } from './stack';
import { urlTarget } from './url-target';

const ENDED = endedBySignal();
exitOnBrokenPipe('front-door');

const PROGRAM = { name: 'front-door', helpCommand: 'npm run front-door -- --help' };

runProgram({ ...PROGRAM, help: HELP, parse: parseOptions, run });

async function run(options: Options): Promise<number> {
  const directory = mkdtempSync(path.join(tmpdir(), 'onceflow-front-door-'));
  let count = 0;
  const newDirectory = () => {
    count += 1;
    return path.join(directory, String(count));
  };
  try {
    return await (options.chaos ? chaos(options, newDirectory()) : conversations(options, newDirectory));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function chaos({ requests, keys, seed, json, express }: Options, directory: string): Promise<number> {
  const assembly = synthesizeFrontDoor(directory, express ? { type: 'EXPRESS' } : {});
  const report = await runChaos(assembly, { requests, keys, seed });
  process.stdout.write(json ? `${JSON.stringify(report)}\n` : renderChaos(report));
  return isRight(report) ? EXIT.done : EXIT.failed;
}

async function conversations(
  { url, cases, only, json, express }: Options,
  newDirectory: () => string,
): Promise<number> {
  const own = [...PLAIN_CONVERSATIONS, ...CONVERSATIONS_WITH_FAULTS];
  const all = cases === undefined ? own : recordedIn(cases);
  if (typeof all === 'string') return reject(PROGRAM, all);
  const chosen = all.filter(({ id }) => only === undefined || id.includes(only));
  const target = url
    ? urlTarget(url, `run-${Date.now().toString(36)}`)
    : localTarget(newDirectory, express ? 'EXPRESS' : undefined);
  const progress = progressOn(process.stderr, { isSilent: json });
  const outcomes: Outcome[] = [];
  try {
    for (const conversation of chosen) {
      if (ENDED.aborted) return EXIT.interrupted;
      progress.begin(conversation.id);
      outcomes.push(await runConversation(conversation, target));
    }
  } finally {
    progress.clear();
    await target.close();
  }
  process.stdout.write(json ? `${JSON.stringify({ outcomes })}\n` : renderOutcomes(outcomes));
  const isAllRight = outcomes.length > 0 && outcomes.every(({ kind }) => kind !== 'failed');
  return isAllRight ? EXIT.done : EXIT.failed;
}

/** The conversations of a directory, or what is wrong with it. */
function recordedIn(directory: string): readonly Conversation[] | string {
  const file = path.join(directory, 'cases.jsonl');
  if (!existsSync(file)) return `--cases takes a directory with cases.jsonl; there is no ${file}`;
  const lines = readFileSync(file, 'utf8').split('\n');
  try {
    return lines.filter(line => line.trim() !== '').map(line => JSON.parse(line) as Conversation);
  } catch (error) {
    return `${file} has a line that is not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}
