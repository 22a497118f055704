import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EXPLORE_HELP, exploreCommand } from '../../command/explore';

const SNIPPETS = path.join(__dirname, '../../../../docs/guide/snippets/testing');
const LOCK = path.join(SNIPPETS, 'lock.asl.json');
const directory = mkdtempSync(path.join(tmpdir(), 'onceflow-explore-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** What the command prints, and its exit code; or its error. */
function command(...given: readonly string[]): { readonly code?: number; readonly text: string } {
  let text = '';
  try {
    const code = exploreCommand(given, printed => {
      text += printed;
    });
    return { code, text };
  } catch (error) {
    return { text: (error as Error).message };
  }
}

function fileWith(name: string, content: string): string {
  const file = path.join(directory, name);
  writeFileSync(file, content);
  return file;
}

describe('explore of a state machine that is not of onceflow', () => {
  test('prints how one lost answer loses a lock, as the guide shows it', () => {
    const shown = readFileSync(path.join(SNIPPETS, 'lost-lock.txt'), 'utf8');

    expect(command(LOCK)).toEqual({ code: 1, text: shown });
  });

  test('of what holds says so, and how much was explored', () => {
    const { code, text } = command(LOCK, '--faults', '0');

    expect(code).toBe(0);
    expect(text).toMatch(/^holds: ends, locks, puts, in all \d+ states within the bounds\n$/);
  });

  test('that is given up says so, and ends as one that found something', () => {
    expect(command(LOCK, '--faults', '0', '--states', '5')).toEqual({
      code: 1,
      text: expect.stringMatching(/^unknown: given up after 5 states; raise --states\nnever entered: /),
    });
  });

  test('in JSON has the interleaving', () => {
    const { text } = command(LOCK, '--json', '--kind', 'stopped', '--deliveries', '1');

    expect(JSON.parse(text).violation.interleaving.at(-1)).toBe('execution 1 is stopped');
  });

  test('without an invariant of its own goes on', () => {
    const { text } = command(LOCK, '--without', 'locks', '--without', 'puts');

    expect(text).toContain('an execution runs for ever from here on');
  });

  test('--help prints the options', () => {
    expect(command('--help')).toEqual({ code: 0, text: EXPLORE_HELP });
  });

  test.each([
    [[], '`explore` takes one state machine'],
    [[LOCK, '--without', 'lock'], '--without must be one of ends, locks, puts; got lock'],
    [[LOCK, '--kind', 'late'], '--kind must be one of lost, unreached, stopped, slow; got late'],
    [[LOCK, '--faults', 'x'], '--faults must be a whole number; got x'],
    [[LOCK, '--fault', '1'], 'unknown option --fault; did you mean --faults?'],
    [[LOCK, '--parameter', 'x'], '--parameter must be NAME=VALUE; got "x"'],
    [[LOCK, '--machine', 'Other'], '--machine: Other is not a state machine here; there are lock'],
    [[LOCK, '--input', 'gone.json'], '--input gone.json does not exist'],
    [[LOCK, '--input', __filename], 'is not JSON'],
    [[LOCK, '--with', 'gone.mjs'], '--with gone.mjs does not exist'],
    [[fileWith('template.json', '{"Resources":{}}')], 'the source has no state machine'],
    [[LOCK, '--fautls', '1'], 'unknown option --fautls; did you mean --faults?'],
    [[LOCK, '--faults', '1', '--faults', '2'], '--faults can be given only once'],
    [[LOCK, '--with', ''], '--with must not be an empty text'],
    [[LOCK, '--json=yes'], '--json does not take a value'],
    [
      [LOCK, '--without', 'ends', '--without', 'locks', '--without', 'puts'],
      'there is nothing to check, without ends, locks, puts; leave one in, or export `invariants` from --with FILE',
    ],
  ] as [string[], string][])('%j: the error says what is wrong', (given, message) => {
    expect(command(...given).text).toContain(message);
  });
});

// Each of them would let the command say that all holds, whatever the state machine does.
describe('a module that would be taken for a yes', () => {
  let files = 0;
  const explored = (exported: string, ...more: readonly string[]) => {
    files += 1;
    return command(LOCK, '--faults', '0', '--with', fileWith(`with-${files}.cjs`, exported), ...more);
  };
  const invariant = (body: string) => `exports.invariants = { once: ${body} };`;

  test.each([
    [invariant('async () => false'), '`once` of `invariants` returns a promise; it must return its answer'],
    [invariant('async () => { throw Error() }'), '`once` of `invariants` returns a promise'],
    [invariant('() => 0'), '`once` of `invariants` returns 0; it must return true or nothing if it holds'],
    [invariant('() => null'), '`once` of `invariants` returns null; it must return'],
    [invariant('seen => seen.effects'), '`once` of `invariants` returns a list; it must return'],
    [invariant('seen => seen.effects.every'), '`once` of `invariants` returns a function; it must return'],
    [invariant('true'), '`once` of `invariants` is not a function; pass a function of what there is'],
    [
      'exports.invariants = () => false;',
      '`invariants` must be an object of functions by name, got a function',
    ],
    [
      'exports.invariants = [() => false];',
      '`invariants` must be an object of functions by name, got a list',
    ],
    ['exports.invariants = null;', '`invariants` must be an object of functions by name, got null'],
    [
      'exports.invariant = () => false;',
      'exports unknown names, `invariant` (did you mean `invariants`?); it can export callsEndInTime, effects,',
    ],
    [
      'exports.deliveries = 3; exports.once = () => 1;',
      'exports unknown names, `deliveries`, `once`; it can export callsEndInTime, effects, inputs, invariants, ' +
        'mayBeEmpty, redrives, tables',
    ],
    ['module.exports = () => false;', 'exports a function; it can export callsEndInTime, effects,'],
    ['', 'exports nothing; it can export callsEndInTime, effects, inputs, invariants,'],
    [
      'exports.effects = { Import: () => { throw Error("no rate") } };',
      'the effect of "Import" throws: no rate',
    ],
    ['exports.mayBeEmpty = "yes";', '`mayBeEmpty` is true or false, got yes'],
  ])('%s is rejected', (exported, message) => {
    expect(explored(exported)).toEqual({ text: expect.stringContaining(message) });
  });

  test('an empty `invariants` beside the own ones that are left out is rejected', () => {
    const without = ['ends', 'locks', 'puts'].flatMap(name => ['--without', name]);

    expect(explored('exports.invariants = {};', ...without).text).toContain('there is nothing to check');
    expect(explored(invariant('() => undefined'), ...without)).toMatchObject({ code: 0 });
  });

  test.each([
    ['() => false', 'once: the invariant does not hold'],
    ['() => "charged twice"', 'once: charged twice'],
    ['() => { throw Error("charged twice") }', 'once: charged twice'],
  ])('an invariant %s is broken, by its name', (body, message) => {
    const { code, text } = explored(invariant(body));

    expect(code).toBe(1);
    expect(text).toContain(`=> ${message}\n`);
  });

  test('can export the options of a search that the command line does not have', () => {
    const exported = `exports.callsEndInTime = true; exports.redrives = 1; exports.__esModule = true;`;

    expect(explored(exported, '--kind', 'lost')).toMatchObject({ code: 0 });
  });
});
