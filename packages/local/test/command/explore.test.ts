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
    expect(text).toMatch(/^holds: all \d+ states were explored\n$/);
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
    [[LOCK, '--fault', '1'], "unknown option '--fault'"],
    [[LOCK, '--parameter', 'x'], '--parameter must be NAME=VALUE; got "x"'],
    [[LOCK, '--machine', 'Other'], 'which state machine is not clear; pass --machine with one of lock'],
    [[LOCK, '--input', 'gone.json'], '--input gone.json does not exist'],
    [[LOCK, '--input', __filename], 'is not JSON'],
    [[LOCK, '--with', 'gone.mjs'], '--with gone.mjs does not exist'],
    [[fileWith('template.json', '{"Resources":{}}')], 'the source has no state machine'],
  ] as [string[], string][])('%j: the error says what is wrong', (given, message) => {
    expect(command(...given).text).toContain(message);
  });
});
