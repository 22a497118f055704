import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onceflow } from './run-program';

const KEY = ['--key', '{% $states.input.detail.orderId %}'];
const BUS = ['--source', 'bus', '--pattern', '{"source":["shop.orders"]}'];

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'onceflow-template-test-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

describe('onceflow template', () => {
  test('options and a file in YAML give the same template, and the size is on stderr', async () => {
    const file = path.join(directory, 'workflow.yaml');
    const output = path.join(directory, 'template.json');
    writeFileSync(
      file,
      `idempotencyKey: '{% $states.input.detail.orderId %}'
sources:
  - eventBridge:
      eventPattern:
        source: [shop.orders]
`,
    );

    const [byOptions, byFile] = await Promise.all([
      onceflow(['template', ...KEY, ...BUS]),
      onceflow(['template', file, '--output', output]),
    ]);

    expect(byOptions).toMatchObject({ code: 0, stdout: readFileSync(output, 'utf8') });
    expect(byFile).toMatchObject({ code: 0, stdout: '' });
    const bytes = Buffer.byteLength(byOptions.stdout.trimEnd());
    expect(byFile.stderr).toContain(`${bytes} bytes; CloudFormation accepts 51200 in a request`);
    expect(byFile.stderr).toContain(`aws cloudformation deploy --template-file ${output} --stack-name NAME`);
    expect(byFile.stderr.includes('--s3-bucket BUCKET')).toBe(bytes > 51_200);
  }, 60_000);

  test('--asl: the definition; with --json its substitutions and statements beside', async () => {
    const [alone, withAll] = await Promise.all([
      onceflow(['template', ...KEY, '--asl']),
      onceflow(['template', ...KEY, '--asl', '--json']),
    ]);

    const { definition, ...others } = JSON.parse(withAll.stdout);
    expect(JSON.parse(alone.stdout)).toEqual(definition);
    expect(definition).toMatchObject({ QueryLanguage: 'JSONata' });
    expect(others).toMatchObject({
      substitutions: { Records: { Ref: 'Records' } },
      statements: expect.any(Array),
    });
  }, 60_000);

  test('--alarms and --permissions-boundary: parameters, and the other options of the file stay', async () => {
    const file = path.join(directory, 'alarms.yaml');
    writeFileSync(
      file,
      "idempotencyKey: '{% $states.input.detail.orderId %}'\nmonitoring: { topic: 'arn:aws:sns:eu-west-1:111111111111:other', dashboard: false }\n",
    );
    const topic = 'arn:aws:sns:eu-west-1:111111111111:on-call';
    const boundary = 'arn:aws:iam::111111111111:policy/boundary';

    const { code, stdout } = await onceflow([
      'template',
      file,
      '--alarms',
      topic,
      '--permissions-boundary',
      boundary,
    ]);

    expect(code).toBe(0);
    const { Parameters, Resources } = JSON.parse(stdout);
    expect(Parameters).toMatchObject({
      AlarmTopicArn: { Default: topic },
      PermissionsBoundaryArn: { Default: boundary },
    });
    expect(JSON.stringify(Resources)).toContain('AWS::CloudWatch::Alarm');
    expect(JSON.stringify(Resources)).not.toContain('AWS::CloudWatch::Dashboard');
  }, 60_000);

  test.each([
    [[], /^onceflow: which workflow\? Pass FILE with its props, or at least --key/],
    [['--key', 'orderId'], /^onceflow: `idempotencyKey` must be a JSONata expression in \{% %\}/],
    [[...KEY, '--source', 'bus'], /^onceflow: --source bus needs --pattern/],
    [
      [...KEY, '--source', 'bus', '--pattern', '{'],
      /^onceflow: --pattern is not a valid JSON document; check line 1$/m,
    ],
    [[...KEY, '--source', 'kinesis'], /^onceflow: --source must be one of bus, queue, topic, http, schedule/],
    [['nowhere.yaml'], /^onceflow: nowhere\.yaml does not exist/],
    [['README.md'], /^onceflow: README\.md (?:is neither JSON nor YAML|has to be an object)/],
    [['one.yaml', 'two.yaml'], /^onceflow: pass one FILE that contains all props; got 2/],
  ])(
    '%j: %s',
    async (args, message) => {
      const { code, stdout, stderr } = await onceflow(['template', ...args]);

      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(message);
    },
    60_000,
  );
});
