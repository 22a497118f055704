import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { FAULT_KINDS } from '../../../proof/league/kinds';
import { HELP, parseOptions } from '../../../proof/league/options';
import { RUN_TYPESCRIPT } from '../../support/run-typescript';
import { newDirectory } from '../../support/shared';

const ROOT = path.join(__dirname, '../../..');
const MAIN = path.join(ROOT, 'proof/league/main.ts');

/** Nothing can be installed there, so that nothing is asked of any registry: Powertools does not take part. */
const NO_CACHE = path.join(ROOT, 'package.json');

function league(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...RUN_TYPESCRIPT, MAIN, ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, XDG_CACHE_HOME: NO_CACHE },
  });
  return { status, stdout, stderr };
}

describe('npm run league', () => {
  test('one contender, two kinds: a table, where the failure comes from, its schedule; the page; the document', () => {
    const directory = newDirectory();
    const [html, markdown] = [path.join(directory, 'league.html'), path.join(directory, 'league.md')];
    writeFileSync(markdown, '<!-- league: standings -->\n<!-- league: end -->\n');

    const args = ['--only', 'none', '--kinds', 'calm,killed-after', '--seeds', '1'];
    const { status, stdout, stderr } = league(...args, '--html', html, '--markdown', markdown);

    expect(status).toBe(0);
    expect(stdout).toMatch(
      /^For each 10,000 deliveries; 2 kinds of fault, 1 schedule of each, \d deliveries:$/m,
    );
    expect(stdout).toMatch(/^ {2}none +\d+ +·/m);
    expect(stdout).toMatch(/^ {2}nothing goes wrong \(calm\)\n {4}no failure$/m);
    expect(stdout).toContain("npm run league -- --replay 'none:at=0/fault=effect:killedAfter'");
    expect(stdout).toContain('\nonceflow was not among them\n');
    expect(stderr).toContain(`the league is in ${html}\n`);
    expect(readFileSync(html, 'utf8')).toContain(`<code>npm run league -- ${args.join(' ')} --html`);
    expect(readFileSync(markdown, 'utf8')).toMatch(/\| `none` \| \d+ \|/);
  }, 60_000);

  test('--json of a kind without faults: one object with all that there is', () => {
    const { status, stdout, stderr } = league('--only', 'none', '--kinds', 'calm', '--seeds', '1', '--json');

    expect([status, stderr]).toEqual([0, '']);
    const failures = [
      'doubled',
      'doubledAtProvider',
      'lost',
      'overdue',
      'wrongAnswers',
      'letThrough',
      'reported',
    ];
    expect(JSON.parse(stdout)).toEqual({
      seeds: 1,
      kinds: [{ id: 'calm', title: 'nothing goes wrong' }],
      standings: [
        expect.objectContaining({
          id: 'none',
          settings: expect.any(String),
          documentation: expect.stringMatching(/^https:/),
          per10000: Object.fromEntries(failures.map(failure => [failure, 0])),
          price: expect.objectContaining({ dollars: 0, transitions: 0 }),
        }),
      ],
      cells: [expect.objectContaining({ contender: 'none', kind: 'calm', deliveries: 1, doubled: 0 })],
      found: [],
      notRun: [],
    });
  }, 60_000);

  test('a league that finds nothing where there is something: exit 1, and why', () => {
    const { status, stdout } = league('--only', 'none', '--kinds', 'outage', '--seeds', '1');

    expect(status).toBe(1);
    expect(stdout).toContain(
      'NOT ok: without protection nothing was doubled: the league is blind; give more',
    );
  }, 60_000);

  test('--replay: each step, and what it came to', () => {
    const { status, stdout } = league('--replay', 'none:at=0/fault=effect:killedAfter');

    expect(status).toBe(0);
    expect(stdout).toMatch(
      /^no protection: at=0\/fault=effect:killedAfter\n\n +0\.000 s {2}delivery 1 comes\n/,
    );
    expect(stdout).toMatch(/\neffects doubled: 1\n$/);
  }, 60_000);

  test.each([
    [['--only', 'nobody'], '--only: the id of no approach begins with "nobody"; there are none, fifo, name'],
    [['--only', 'none,nobody'], '--only: the id of no approach begins with "nobody"; there are none, fifo'],
    [['--replay', 'nobody:at=0'], '--replay: there is no contender nobody; there are none, fifo'],
    [['--html', '/no-such-directory/league.html'], '--html: the directory /no-such-directory does not exist'],
    [['--html', '/dev/null/x/league.html'], '--html: /dev/null/x/league.html cannot be written: ENOTDIR'],
    [['--markdown', 'README.md'], '--markdown: README.md has no line `<!-- league: NAME -->`'],
  ])(
    '%p: exit 2, and what there is',
    (args, message) => {
      const { status, stdout, stderr } = league(...args);

      expect([status, stdout]).toEqual([2, '']);
      expect(stderr).toContain(`league: ${message}`);
      expect(stderr).toContain('See npm run league -- --help\n');
    },
    60_000,
  );
});

describe('the options of the league', () => {
  test('the help: all options, the kinds, the exit codes', () => {
    for (const option of [
      'seeds N',
      'only LIST',
      'kinds LIST',
      'replay CONTENDER:SCHEDULE',
      'html FILE',
      'json',
    ])
      expect(HELP).toContain(`--${option}`);
    for (const { id } of FAULT_KINDS) expect(HELP).toContain(id);
    expect(HELP).toMatch(/Exit codes: 0 .+ 1 .+\n2 wrong usage, 3 .+, 130 interrupted/s);
  });

  test('none: the defaults', () => {
    expect(parseOptions([])).toEqual({
      kind: 'options',
      options: {
        ...{ seeds: 10, only: undefined, kinds: undefined, replay: undefined },
        ...{ html: undefined, markdown: undefined, json: false },
      },
    });
  });

  test('only, with blanks: each of them', () => {
    expect(parseOptions(['--only', 'none, onceflow'])).toMatchObject({
      options: { only: ['none', 'onceflow'] },
    });
  });

  test('kinds with blanks, and a schedule to replay: as they are meant', () => {
    expect(
      parseOptions(['--kinds', 'late, calm', '--replay', 'lock-ttl:at=0,9x/failures=always']),
    ).toMatchObject({
      options: {
        kinds: ['late', 'calm'],
        replay: {
          contender: 'lock-ttl',
          schedule: { deliveries: [{ at: 0 }, { at: 9, isOther: true }], failures: undefined },
        },
      },
    });
  });

  test.each([
    [['--kinds', 'late,never'], /^--kinds: "never" is not one of calm, answer/],
    [['--replay', 'at=0'], /^--replay: must be CONTENDER:SCHEDULE, got "at=0"$/],
    [['--replay', 'none:at=0/fault=1:burnt'], /^--replay: "fault=1:burnt" cannot be read$/],
    [['--replay', 'none:at=0', '--html', 'x.html'], /^--replay plays one interleaving/],
    [['--seeds', '0'], /--seeds .*whole number from 1 to 10000/],
  ])('%p: rejected, with the reason', (args, message) => {
    expect(parseOptions(args)).toEqual({ kind: 'usage', message: expect.stringMatching(message) });
  });
});
