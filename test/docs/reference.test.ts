import { dev } from '../../cli/commands/dev';
import { COMMANDS, HELP } from '../../cli/commands/registry';
import { KEY_HEALTHS } from '../../cli/key/list/health';
import { ERROR, MALFORMED_RECORD, RELEASED } from '../../state-machine/contract/error-names';
import { RECORD, STATUS } from '../../state-machine/contract/record';
import { FRONT_DOOR_STATE, RECOVERY_STATE } from '../../state-machine/contract/state-names';
import { parsePage, readIfThere, readPages } from './page';

const textOf = (path: string) => readIfThere(path) ?? '';

/** What stands in backticks at the beginning of a table's row. */
function firstCells(path: string): string[] {
  return [...textOf(path).matchAll(/^\| `([\w.]+)`/gm)].map(([, name = '']) => name);
}

/** The names in backticks in the first cells of the tables below a heading. */
function cellsBelow(path: string, heading: string): string[] {
  const text = textOf(path).split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const cells = [...text.matchAll(/^\|([^|\n]*)/gm)].map(([, cell = '']) => cell);
  return cells.flatMap(cell => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
}

/** The members of an interface in a source file. */
function membersOf(path: string, name: string): string[] {
  const body =
    textOf(path)
      .split(new RegExp(`interface ${name}\\b[^{]*\\{`))[1]
      ?.split('\n}')[0] ?? '';
  return [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, member = '']) => member);
}

describe('docs/reference/constructs.md has every option', () => {
  const page = 'docs/reference/constructs.md';

  const SHARED = ['state-machine/options/options.ts', 'IdempotencyProps'] as const;

  test.each([
    ['IdempotentWorkflow', [['infra/idempotent-workflow-props.ts', 'IdempotentWorkflowProps'], SHARED]],
    ['IdempotentFragment', [['infra/idempotent-fragment-props.ts', 'IdempotentFragmentProps'], SHARED]],
    [
      'RecordTable',
      [
        ['infra/record-table.ts', 'RecordTableProps'],
        ['state-machine/contract/table-schema.ts', 'TableSchema'],
      ],
    ],
    ['startOnce', [['client/options.ts', 'StartOnceOptions']]],
  ] as const)('of %s, and names nothing else but members', (heading, types) => {
    const options = types.flatMap(([source, type]) => membersOf(source, type));

    expect(options.length).toBeGreaterThan(types.length);
    const members =
      heading === 'startOnce' ? [] : ['recordScope', 'stateMachine', 'table', 'tableName', 'tableArn'];
    const named = new Set(cellsBelow(page, heading));
    expect([...named]).toEqual(expect.arrayContaining(options));
    expect([...named].filter(name => !options.includes(name) && !members.includes(name))).toEqual([]);
  });

  test.each([
    ['infra/sources/event-bridge-source.ts', 'EventBridgeSourceOptions'],
    ['infra/sources/queue-source.ts', 'QueueSourceOptions'],
  ])('of the sources: %s', (source, type) => {
    const section = textOf(page).split('\n## Source\n')[1]?.split('\n## ')[0] ?? '';
    const options = membersOf(source, type);

    expect(options).not.toEqual([]);
    expect(options.filter(option => !section.includes(`\`${option}\``))).toEqual([]);
  });
});

test('the command line has every count of `list --json`, and no other', () => {
  const sentence = /these are the `counts`: ([^:]*)\n\n/.exec(
    textOf('docs/operations/command-line-read.md'),
  )?.[1];
  const named = [...(sentence ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name);

  // A delivery is not a record, and is counted on its own.
  const counts = KEY_HEALTHS.filter(health => health !== 'rejected');
  expect(named).toEqual(counts);
});

test('packages/local/README.md has every option of startLocal', () => {
  const options = membersOf('packages/local/local-options.ts', 'LocalOptions');

  expect(options).not.toEqual([]);
  expect(cellsBelow('packages/local/README.md', 'Options').sort()).toEqual(options.sort());
});

describe('docs/reference/record.md', () => {
  test('has every attribute, and no other', () => {
    expect(cellsBelow('docs/reference/record.md', 'Attributes').sort()).toEqual(Object.values(RECORD).sort());
  });

  test('documents every record status', () => {
    expect(cellsBelow('docs/reference/record.md', 'Statuses')).toEqual(
      expect.arrayContaining(Object.values(STATUS)),
    );
  });
});

describe('docs/operations', () => {
  test('errors.md: has a heading for every error name of the workflow, and for no other', () => {
    const { headings } = parsePage('errors.md', textOf('docs/operations/errors.md'));
    const names = headings.filter(name => name.startsWith('Idempotency.'));

    expect(names).toEqual([...Object.values(ERROR), MALFORMED_RECORD, RELEASED].sort());
  });

  test('errors.md: has every code of the local runtime', () => {
    const codes = [...textOf('packages/local/local-error.ts').matchAll(/^ {2}\| '(\w+)'/gm)].map(
      ([, code]) => code,
    );

    expect(codes).not.toEqual([]);
    expect(firstCells('docs/operations/errors.md')).toEqual(expect.arrayContaining(codes));
  });

  const optionsIn = (text: string) => [...new Set(text.match(/(?<![\w-])--[a-z][a-z-]+/g))].sort();

  test('the pages of the command line: have every option of every command, and no other', () => {
    // What serves has a page of its own.
    const help = [HELP, ...COMMANDS.flatMap(command => (command.isServer ? [] : [command.help]))].join('\n');

    const pages = ['', '-read', '-repair', '-develop'].map(of =>
      textOf(`docs/operations/command-line${of}.md`),
    );
    expect(optionsIn(pages.join('\n'))).toEqual(optionsIn(help));
  });

  test('guide/local-stack.md: has every option of onceflow dev', () => {
    const options = optionsIn(dev.help).filter(name => name !== '--help');

    expect(optionsIn(textOf('docs/guide/local-stack.md'))).toEqual(options);
  });
});

describe('the sequence diagrams', () => {
  const states = new Set([
    ...['minimal', 'dispatcher', 'waits-at-most-once'].flatMap(name => {
      const definition = JSON.parse(textOf(`test/golden/${name}.asl.json`)) as { readonly States: object };
      return Object.keys(definition.States);
    }),
    ...Object.values(RECOVERY_STATE),
    ...Object.values(FRONT_DOOR_STATE),
  ]);

  test.each(['docs/guide/deliveries.md', 'docs/guide/at-most-once.md'])(
    '%s: the notes over one participant are states of the definition',
    path => {
      const { blocks } = parsePage(path, textOf(path));
      const notes = blocks.flatMap(({ lines }) =>
        lines.flatMap(line => /^\s*Note over \w+: (.*)$/.exec(line)?.[1] ?? []),
      );

      expect(notes).not.toEqual([]);
      expect(notes.filter(note => !states.has(note))).toEqual([]);
    },
  );

  test('names of states in double quotes are states of a definition', () => {
    const looksLikeState = /^(?:Ask|Claim|Hold|Is the|Read|Record|Redrive|Return|Start|Take|Wait)\b.* /;
    const wrong = readPages()
      .filter(({ path }) => path === 'README.md' || /^docs\/(?!decisions\/)/.test(path))
      .flatMap(({ path, text }) =>
        [...text.replace(/```[\s\S]*?```/g, '').matchAll(/"([A-Z][\w' :?]*)"/g)]
          .map(([, name = '']) => name.replace(/\s+/g, ' '))
          .filter(name => looksLikeState.test(name) && !states.has(name))
          .map(name => `${path}: "${name}"`),
      );

    expect(wrong).toEqual([]);
  });
});

test('each claim about AWS says what falls if it is wrong', () => {
  const page = textOf('docs/reference/aws-claims.md');
  const tables = page.split(/\n(?=\| claim \|)/).slice(1);
  const rows = tables.flatMap(table => table.split('\n\n')[0]?.split('\n').slice(2) ?? []);
  const silent = rows.filter(row => !/^\|(?:[^|]*\|){4} [^|\s][^|]{5,} \|$/.test(row));

  expect(rows.length).toBeGreaterThan(70);
  expect(silent).toEqual([]);
});

test('each claim about custom event buses is turned round, by tests that exist', () => {
  const [, section = ''] =
    /\n## Custom event buses\n([\s\S]*?)\n## /.exec(textOf('docs/reference/aws-claims.md')) ?? [];
  const [claims, turned] = section
    .split('### Each of them turned round')
    .map(part =>
      part
        .split('\n')
        .flatMap(line => (/^\| (?!claim|assumption)/.test(line) ? [line.slice(2).split(' | ')] : [])),
    );
  const suites = section.match(/test\/[\w/.-]+\.test\.ts/g)?.map(textOf) ?? [];
  const titles = turned?.flatMap(cells =>
    [...(cells.at(-1) ?? '').matchAll(/`([^`]+)`/g)].map(([, title]) => title),
  );
  const begins = new Set(turned?.map(([assumption = '']) => assumption));

  expect(titles?.length).toBeGreaterThan(begins.size);
  expect(titles?.filter(title => !suites.some(text => text.includes(`'${title}'`)))).toEqual([]);
  expect(claims?.filter(([claim = '']) => ![...begins].some(begin => claim.startsWith(begin)))).toEqual([]);
  expect([...begins].filter(begin => !claims?.some(([claim = '']) => claim.startsWith(begin)))).toEqual([]);
});

test('docs/status.md names the versions that the tests run with', () => {
  const { devDependencies } = JSON.parse(textOf('package.json')) as {
    devDependencies: Record<string, string>;
  };
  const [row = ''] = textOf('docs/status.md').match(/^\| tested with .*$/m) ?? [];

  expect(row).toContain(`\`aws-cdk-lib\` ${devDependencies['aws-cdk-lib']},`);
  expect(row).toContain(`\`constructs\` ${devDependencies['constructs']},`);
  expect(row).toContain(`\`cdk\` ${devDependencies['aws-cdk']},`);
  expect(row).toContain(`AWS SDK ${devDependencies['@aws-sdk/client-dynamodb']} |`);
});
