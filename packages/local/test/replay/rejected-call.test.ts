import type { Json, JsonObject } from '../../json/json';
import { replayHistory } from '../../replay/replay-history';
import type { Service } from '../../runtime/calls/service';
import { runToEnd } from '../../runtime/drive';
import { taskOf, textOf, worldOf } from '../runtime/world';

/** Fails, and takes no parameters with `wrong` in them. */
const PICKY: Service = {
  rejectionOf: given => ('wrong' in Object(given) ? 'no' : undefined),
  call: async ({ arguments: given }) =>
    'ok' in Object(given) ? { kind: 'succeeded', output: 1 } : { kind: 'failed', error: 'Busy', cause: '' },
};

/** The history that the runtime has of an execution, redriven as often as said, as the command line prints it. */
async function historyOf(definition: string, redrives = 0): Promise<string> {
  const { runtime, clock } = worldOf({ services: new Map([['test:picky', PICKY]]) });
  const { arn: stateMachineArn } = runtime.register(definition, { name: 'm' });
  const { executionArn } = await runtime.startExecution({ stateMachineArn, input: '{"n":1}' });
  await runToEnd(runtime, clock);
  for (let redrive = 0; redrive < redrives; redrive += 1) {
    await runtime.redriveExecution({ executionArn });
    await runToEnd(runtime, clock);
  }
  const { events } = await runtime.getExecutionHistory({ executionArn, maxResults: 1000 });
  const written = events.map(event => ({ ...event, timestamp: new Date(event.timestamp).toISOString() }));
  return JSON.stringify({ events: written });
}

const calling = (Arguments: Json, more: JsonObject = {}) =>
  textOf({ T: taskOf('test:picky', { Arguments, ...more }) });
const RETRY = { Retry: [{ ErrorEquals: ['States.ALL'] }] };
const IN_A_RETRY = '{% $states.context.State.RetryCount = 0 ? {} : {"wrong": 1} %}';
const UNTIL_REDRIVEN = '{% $states.context.Execution.RedriveCount = 0 ? {"wrong": 1} : {"ok": 1} %}';
const ONCE_REDRIVEN = '{% $states.context.Execution.RedriveCount = 1 ? {"wrong": 1} : {} %}';
const branch = (name: string, Arguments: Json): JsonObject => ({
  StartAt: name,
  States: { [name]: taskOf('test:picky', { Arguments }) },
});
const parallel = (...Branches: readonly JsonObject[]) =>
  textOf({ P: { Type: 'Parallel', Branches, End: true } });
const nested = (...Branches: readonly JsonObject[]): JsonObject => ({
  StartAt: 'N',
  States: { N: { Type: 'Parallel', Branches, End: true } },
});
/** Wrong on the first run, and then so often again. */
const wrongUntil = (redrives: number) =>
  `{% $states.context.Execution.RedriveCount <= ${redrives} ? {"wrong": 1} : {"ok": 1} %}`;
const EACH = {
  Type: 'Map',
  Items: [0, 1, 2],
  ItemProcessor: {
    StartAt: 'I',
    States: { I: taskOf('test:picky', { Arguments: '{% $states.input = 1 ? {"wrong": 1} : {"ok": 1} %}' }) },
  },
  End: true,
};

test.each<[string, string, number]>([
  ['at once', calling({ wrong: 1 }), 0],
  ['after what was tried before', calling(IN_A_RETRY, RETRY), 0],
  ['of more than a cause has room for', calling({ wrong: 'x'.repeat(40_000) }), 0],
  ['in a branch', parallel(branch('A', { wrong: 1 }), branch('B', { ok: 1 })), 0],
  ['in a branch, redriven', parallel(branch('A', { ok: 1 }), branch('B', { wrong: 1 })), 1],
  ['in a branch beside one that fails', parallel(branch('A', {}), branch('B', wrongUntil(0))), 1],
  [
    'in one branch after another',
    parallel(...['A', 'B', 'C'].map((name, n) => branch(name, wrongUntil(n)))),
    3,
  ],
  [
    'in a branch of a branch',
    parallel(branch('X', { ok: 1 }), nested(branch('Z', { ok: 1 }), branch('Y', wrongUntil(1)))),
    2,
  ],
  ['in an item', textOf({ M: EACH }), 0],
  ['in an item, redriven', textOf({ M: EACH }), 2],
  ['and taken after a redrive', calling(UNTIL_REDRIVEN), 1],
  ['and rejected again after a redrive', calling({ wrong: 1 }), 1],
  ['and twice again', calling({ wrong: 1 }), 2],
  ['after a redrive alone', calling(ONCE_REDRIVEN), 2],
])('a call that is rejected %s: replayed as it was', async (_, definition, redrives) => {
  const report = replayHistory({ definition, history: await historyOf(definition, redrives) });

  const notes = expect.arrayContaining([expect.stringContaining('rejected because of its parameters')]);
  expect(report).toMatchObject({ kind: 'same', notes });
});

test('a definition that makes no call there: the first difference is reported', async () => {
  const history = await historyOf(calling({ wrong: 1 }));
  const definition = textOf({ T: { Type: 'Pass', End: true } });

  expect(replayHistory({ definition, history })).toMatchObject({
    kind: 'diverged',
    divergence: { eventId: 2 },
  });
});

test('an end that only quotes such a cause: nothing is said of a call', async () => {
  const Cause = "The Parameters '{}' could not be used to start the Task: [no]";
  const definition = textOf({ F: { Type: 'Fail', Error: 'States.Runtime', Cause } });

  expect(replayHistory({ definition, history: await historyOf(definition) })).toMatchObject({
    kind: 'same',
    notes: [],
  });
});
