import { type CallTool, type Model, runAgent, type ToolCall } from './agent';
import type { World } from './world';

/** The settings of a play, and its outcome. */
export interface Row {
  readonly what: string;
  /** Tool calls that the agent began, repeated ones included. */
  readonly calls: number;
  /** How often a tool was run for them, and how often it had its effect. */
  readonly toolRuns: number;
  readonly effects: number;
  readonly isRight: boolean;
}

/** A complaint, and what a model has done about it: three calls, each when the one before was answered. */
export const PLAN: readonly ToolCall[] = [
  { tool: 'refund', arguments: { order: 'order-7', cents: 1990 } },
  { tool: 'bookCourier', arguments: { city: 'Bern', day: '2026-11-23' } },
  { tool: 'sendMail', arguments: { to: 'ada@example.com', subject: 'Your refund' } },
];

/** Does one call after the other, and asks again for one that failed. */
export const model: Model = answers => PLAN[answers.filter(answer => 'result' in answer).length];

/**
 * The moments around a call at which the loop may crash: before it, when it has been started, when its answer is there.
 */
const MOMENTS = PLAN.flatMap((_, index) =>
  (['before', 'within', 'after'] as const).map(when => ({ when, index })),
);

type Moment = (typeof MOMENTS)[number];

class LoopCrashedError extends Error {}

/** Runs the loop until it crashes at the moment, and then again from its start; counts the calls of both. */
async function crashAndReplay(world: World, run: string, { when, index }: Moment): Promise<number> {
  let calls = 0;
  const crashing: CallTool = async (run, call) => {
    if (calls !== index) {
      calls += 1;
      return world.callTool(run, call);
    }
    if (when === 'before') throw new LoopCrashedError();
    calls += 1;
    const answered = world.callTool(run, call);
    if (when === 'after') await answered;
    // The loop no longer reads the answer: the call itself continues.
    else answered.catch(() => undefined);
    throw new LoopCrashedError();
  };
  await runAgent(run, model, crashing).catch((error: unknown) => {
    if (!(error instanceof LoopCrashedError)) throw error;
  });
  await runAgent(run, model, (run, call) => {
    calls += 1;
    return world.callTool(run, call);
  });
  return calls;
}

/** Plays the loop undisturbed, with each call made thrice, in two copies, with crashes, and with a tool that fails. */
export async function play(world: World): Promise<readonly Row[]> {
  const rowOf = async (what: string, calls: number, run: string, failures = 0): Promise<Row> => {
    const [toolRuns, effects] = [world.toolRunsOf(run), (await world.effectsOf(run)).length];
    const isRight = effects === PLAN.length && toolRuns === PLAN.length + failures;
    return { what, calls, toolRuns, effects, isRight };
  };
  const acts: readonly Promise<Row>[] = [
    runAgent('once', model, world.callTool).then(({ length }) => rowOf('undisturbed', length, 'once')),

    runAgent('thrice', model, async (run, call) => {
      const answers = await Promise.all([1, 2, 3].map(() => world.callTool(run, call)));
      return answers[0] ?? { inProgress: true };
    }).then(() => rowOf('each call made three times at once', 3 * PLAN.length, 'thrice')),

    Promise.all([1, 2].map(() => runAgent('two', model, world.callTool))).then(() =>
      rowOf('two copies of the loop at the same time', 2 * PLAN.length, 'two'),
    ),

    ...MOMENTS.map(async moment => {
      const run = `crashed ${moment.when} call ${moment.index + 1}`;
      return rowOf(`${run}, played again`, await crashAndReplay(world, run, moment), run);
    }),

    (async () => {
      world.failNext('busy', 'CourierBusy');
      const asked = await world.callTool('busy', PLAN[1] ?? { tool: '', arguments: {} });
      const answers = await runAgent('busy', model, world.callTool);
      const what = `a call failed (${'error' in asked ? asked.error : 'not'}), made again`;
      return rowOf(what, 1 + answers.length, 'busy', 1);
    })(),
  ];
  return Promise.all(acts);
}
