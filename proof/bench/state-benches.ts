import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inTurns, type OnRun, type Result } from './benches';
import type { Children } from './child';
import type { QueueMeasure } from './measures/queue-messages';
import type { RestartMeasure } from './measures/restart';
import type { LatencyMeasure } from './measures/start-latency';
import { type Figure, median, rounded } from './report';

/** As many as the local runtime keeps by default. */
const KEPT = 25_000;
const STARTS_PER_SECOND = 100;
const STARTS_SECONDS = 60;
const MESSAGES = 10_000;

/** (e) A start with a state directory that has nothing, and with one that has as many executions as are kept. */
export async function restart(children: Children, assembly: string, onRun: OnRun): Promise<Result> {
  return withDirectory(async root => {
    const [empty, kept] = [path.join(root, 'empty'), path.join(root, 'kept')];
    onRun(`${KEPT.toLocaleString('en-US')} executions, to be kept`, 0, 1);
    await children.run('kept-executions', [KEPT, assembly, kept]);
    const programOf = (what: string, state: string) => ({ what, name: 'restart', args: [assembly, state] });
    const programs = [programOf('start with none kept', empty), programOf('start with 25,000 kept', kept)];
    const runs = await inTurns<RestartMeasure>(children, programs, onRun);
    const of = (figure: keyof RestartMeasure) =>
      runs.map(measures => median(measures.map(measure => measure[figure])));
    const [seconds, cpuSeconds, bytes] = [of('seconds'), of('cpuSeconds'), of('bytes')];
    const figures = programs.flatMap(({ what }, index): Figure[] => [
      { bench: 'e', what, value: rounded(seconds[index] ?? 0), unit: 's' },
      { bench: 'e', what: `${what}, processor time`, value: rounded(cpuSeconds[index] ?? 0), unit: 's' },
    ]);
    const perExecution = Math.round(((bytes[1] ?? 0) - (bytes[0] ?? 0)) / KEPT);
    const memory = 'memory of a kept execution, with its record in DynamoDB';
    return resultOf([...figures, { bench: 'e', what: memory, value: perExecution, unit: 'bytes' }]);
  });
}

/** What (f) starts: the reference app's workflow with its function, and what is next to nothing but its start. */
const STARTED = [
  ['workflow', 'the workflow'],
  ['pass', 'a Pass state'],
] as const;

/** (f) StartExecution at the endpoint, at a rate that waits for no answer. */
export async function startLatency(children: Children, assembly: string, onRun: OnRun): Promise<Result> {
  return withDirectory(async root => {
    const figures: Figure[] = [];
    for (const [index, [machine, called]] of STARTED.entries()) {
      const what = `${called}: StartExecution at ${STARTS_PER_SECOND}/s for ${STARTS_SECONDS} s`;
      onRun(what, index, STARTED.length);
      const args = [assembly, path.join(root, machine), STARTS_PER_SECOND, STARTS_SECONDS, machine];
      const { p50, p99, max, cpuMs } = (await children.run('start-latency', args)) as LatencyMeasure;
      const figureOf = (of: string, value: number): Figure => {
        return { bench: 'f', what: `${what}, ${of}`, value: rounded(value), unit: 'ms' };
      };
      figures.push(figureOf('median', p50), figureOf('p99', p99), figureOf('slowest', max));
      figures.push(figureOf('processor time of an execution', cpuMs));
    }
    return resultOf(figures);
  });
}

/** (g) Messages that are sent to a queue, received and deleted by clients at the endpoint. */
export async function queueMessages(children: Children, assembly: string, onRun: OnRun): Promise<Result> {
  return withDirectory(async root => {
    const what = `${MESSAGES.toLocaleString('en-US')} messages through a queue`;
    const program = { what, name: 'queue-messages', args: [assembly, root, MESSAGES] };
    const [runs = []] = await inTurns<QueueMeasure>(children, [program], onRun);
    const value = rounded(median(runs.map(({ seconds }) => seconds)));
    return resultOf([{ bench: 'g', what, value, unit: 's' }]);
  });
}

function resultOf(figures: readonly Figure[]): Result {
  return { rows: [], ratios: [], notMeasured: [], figures };
}

async function withDirectory<Made>(work: (root: string) => Promise<Made>): Promise<Made> {
  const root = await mkdtemp(path.join(tmpdir(), 'onceflow-bench-state-'));
  try {
    return await work(root);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
