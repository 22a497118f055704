import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import fc from 'fast-check';
import { runs } from '../../../../test/support/scale';
import type { LoadOptions } from '../../assembly/load';
import { loadAssembly } from '../../load-assembly';
import { temporaryDirectory, writeAssembly } from './assembly-directory';

const directory = temporaryDirectory();
const out = path.join(directory, 'out');

/** The problems of an assembly with one stack of these resources. */
function problemsOf(resources: object, options?: LoadOptions): unknown {
  writeAssembly(out, { Main: { template: { Resources: resources } } });
  const result = loadAssembly(out, options);
  return result.kind === 'problems' ? result.problems : result.kind;
}

function resource(type: string, properties: object): object {
  return { X: { Type: `AWS::${type}`, Properties: properties } };
}

describe('directory that is not a cloud assembly', () => {
  const cases: [title: string, files: Record<string, string>, where: RegExp, message: RegExp][] = [
    ['no manifest', {}, /broken$/, /has nothing to run; give a directory that `cdk synth` writes/],
    [
      'manifest is not JSON',
      { 'manifest.json': '{' },
      /manifest\.json$/,
      /is not valid JSON \(line \d+, column \d+\); run `cdk synth` again/,
    ],
    ['manifest is a list', { 'manifest.json': '[]' }, /manifest\.json$/, /is not a JSON object/],
    [
      'manifest of something else',
      { 'manifest.json': '{"name":"x"}' },
      /manifest\.json$/,
      /has no `artifacts`/,
    ],
    [
      'template missing',
      { 'manifest.json': manifest({ templateFile: 'Main.template.json' }) },
      /^Main\.template\.json$/,
      /does not exist; run `cdk synth`/,
    ],
    [
      'stack without template',
      { 'manifest.json': manifest({}) },
      /manifest\.json$/,
      /`Main` has no template file/,
    ],
    [
      'template broken',
      { 'manifest.json': manifest({ templateFile: 'T.json' }), 'T.json': '{"Resources":' },
      /^T\.json$/,
      /is not valid JSON/,
    ],
    [
      'section of the wrong type',
      { 'manifest.json': manifest({ templateFile: 'T.json' }), 'T.json': '{"Resources":[]}' },
      /^T\.json: Resources$/,
      /is not an object/,
    ],
  ];

  test.each(cases)('%s: one problem that names the file', (_title, files, where, message) => {
    const broken = path.join(directory, 'broken');
    rmSync(broken, { recursive: true, force: true });
    mkdirSync(broken);
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(broken, name), text);

    expect(loadAssembly(broken)).toEqual({
      kind: 'problems',
      problems: [{ where: expect.stringMatching(where), message: expect.stringMatching(message) }],
    });
  });

  test('unknown stack asked for: the known ones are named', () => {
    expect(problemsOf({}, { stacks: ['Moon'] })).toEqual([
      { where: 'manifest.json', message: 'has no stack `Moon`; it has Main' },
    ]);
  });
});

function manifest(properties: object): string {
  return JSON.stringify({ artifacts: { Main: { type: 'aws:cloudformation:stack', properties } } });
}

describe('null in a template', () => {
  const ERROR = [{ 'anything-but': ['x'] }, null];
  const rule = (properties: object) => ({ Type: 'AWS::Events::Rule', Properties: properties });

  test.each<[title: string, template: object, paths: readonly string[]]>([
    [
      'in an event pattern',
      { Resources: { Died: rule({ EventPattern: { detail: { error: ERROR } } }) } },
      ['/Resources/Died/Properties/EventPattern/detail/error/1'],
    ],
    ['as a property', { Resources: { X: rule({ Name: null }) } }, ['/Resources/X/Properties/Name']],
    [
      'in a resource that is not run here',
      { Resources: { X: { Type: 'AWS::EC2::Instance', Properties: { EbsOptimized: null } } } },
      ['/Resources/X/Properties/EbsOptimized'],
    ],
    ['as an output', { Outputs: { X: { Value: null } } }, ['/Outputs/X/Value']],
    [
      'in several places',
      { Mappings: { A: { B: { C: null } } }, Conditions: { D: { 'Fn::Equals': [null, 'x'] } } },
      ['/Mappings/A/B/C', '/Conditions/D/Fn::Equals/0'],
    ],
  ])("%s: rejected in CloudFormation's words, with its path", (_title, template, paths) => {
    writeAssembly(out, { Main: { template } });

    const loaded = loadAssembly(out);
    expect(loaded.kind === 'problems' ? loaded.problems : loaded.kind).toEqual(
      expect.arrayContaining(
        paths.map(at => ({
          where: 'Main.template.json',
          message: `[${at}] 'null' values are not allowed in templates; omit the value`,
        })),
      ),
    );
  });

  test('the text of a null is allowed: a definition is a text', () => {
    const definition = { StartAt: 'A', States: { A: { Type: 'Pass', Output: null, End: true } } };
    const properties = { DefinitionString: JSON.stringify(definition), RoleArn: 'arn:aws:iam::1:role/x' };

    expect(problemsOf(resource('StepFunctions::StateMachine', properties))).toBe('assembly');
  });
});

describe('resource that cannot be read', () => {
  const KEY = { KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }] };
  const cases: [title: string, resources: object, where: string, message: RegExp][] = [
    ['no type', { X: {} }, '', /has no `Type`/],
    [
      'machine without definition',
      resource('StepFunctions::StateMachine', {}),
      '.Properties.DefinitionString',
      /is missing/,
    ],
    [
      'machine type unknown',
      resource('StepFunctions::StateMachine', { DefinitionString: '{}', StateMachineType: 'FAST' }),
      '.Properties.StateMachineType',
      /one of STANDARD, EXPRESS/,
    ],
    [
      'timeout is not a number',
      { ...resource('Lambda::Version', {}), F: functionWith({ Timeout: 'soon', Code: { ZipFile: '-' } }) },
      'F.Properties.Timeout',
      /must be a number/,
    ],
    [
      'table without key',
      resource('DynamoDB::Table', { BillingMode: 'PAY_PER_REQUEST' }),
      '.Properties.KeySchema',
      /partition key/,
    ],
    [
      'table without capacity',
      resource('DynamoDB::Table', KEY),
      '.Properties.ProvisionedThroughput',
      /is missing/,
    ],
    [
      'rule without pattern',
      resource('Events::Rule', {}),
      '.Properties.EventPattern',
      /pattern or a ScheduleExpression/,
    ],
    [
      'target without ARN',
      resource('Events::Rule', { EventPattern: { source: ['x'] }, Targets: [{ Id: 'a' }] }),
      '.Properties.Targets[0].Arn',
      /is missing/,
    ],
  ];

  test.each(cases)('%s: named with its path', (_title, resources, at, message) => {
    const where = at.startsWith('F.') ? `Resources.${at}` : `Resources.X${at}`;

    expect(problemsOf(resources)).toContainEqual({
      where: `Main.template.json: ${where}`,
      message: expect.stringMatching(message),
    });
  });

  test('several at once: all are named', () => {
    const resources = {
      ...resource('StepFunctions::StateMachine', {}),
      Y: { Type: 'AWS::DynamoDB::GlobalTable' },
      Z: { Type: 'AWS::Events::Rule' },
    };

    expect(problemsOf(resources)).toHaveLength(3);
  });

  test('two resources of one name: the second is named', () => {
    const bus = { Type: 'AWS::Events::EventBus', Properties: { Name: 'shop' } };

    expect(problemsOf({ A: bus, B: bus })).toEqual([
      { where: 'Main/B', message: expect.stringContaining('same ARN as Main/A') },
    ]);
  });
});

function functionWith(properties: object): object {
  const code = { Handler: 'h', Runtime: 'nodejs22.x', Code: { S3Bucket: 'b', S3Key: 'k' } };
  return { Type: 'AWS::Lambda::Function', Properties: { ...code, ...properties } };
}

describe('assets of functions', () => {
  const synthesize = (code: lambda.Code): string => {
    rmSync(out, { recursive: true, force: true });
    const app = new App({ outdir: out });
    const runtime = lambda.Runtime.NODEJS_20_X;
    new lambda.Function(new Stack(app, 'Main'), 'Fn', { runtime, handler: 'index.handler', code });
    return app.synth().directory;
  };
  const messages = () => {
    const result = loadAssembly(out);
    return result.kind === 'problems' ? result.problems.map(({ message }) => message) : [];
  };
  const reasons = () => {
    const result = loadAssembly(out);
    return result.kind === 'assembly' ? result.assembly.notRun.map(({ reason }) => reason) : [];
  };

  test('packed archive: listed with its key', () => {
    const archive = path.join(directory, 'code.zip');
    writeFileSync(archive, 'PK');
    synthesize(lambda.Code.fromAsset(archive));

    expect(reasons()).toEqual([expect.stringMatching(/^its code is a packed archive \(\w+\.zip\)$/)]);
  });

  test.each([
    [{ Runtime: 'ruby3.3', Code: { ZipFile: 'x = 1' } }, 'it has the runtime ruby3.3'],
    [{ Runtime: 'java21', Code: { S3Bucket: 'b', S3Key: 'k' } }, 'it has the runtime java21'],
    [{ PackageType: 'Image', Code: { ImageUri: 'x' } }, 'it is a container image'],
  ])('%j: listed with its reason, whatever else it lacks', (properties, reason) => {
    writeAssembly(out, { Main: { template: { Resources: resource('Lambda::Function', properties) } } });

    expect(reasons()).toEqual([reason]);
  });

  test('Python where there is no interpreter: listed with its reason', () => {
    const properties = { Runtime: 'python3.12', Handler: 'index.h', Code: { ZipFile: 'x = 1' } };
    writeAssembly(out, { Main: { template: { Resources: resource('Lambda::Function', properties) } } });
    const { PATH } = process.env;
    try {
      process.env['PATH'] = out;

      expect(reasons()).toEqual(['it has the runtime python3.12, and there is no python3 on the PATH']);
    } finally {
      process.env['PATH'] = PATH;
    }
  });

  test('inline code: loaded as it stands', () => {
    const code = { Handler: 'index.h', Runtime: 'nodejs22.x', Code: { ZipFile: 'exports.h = 1' } };
    writeAssembly(out, { Main: { template: { Resources: resource('Lambda::Function', code) } } });

    expect(loadAssembly(out)).toMatchObject({
      assembly: { functions: [{ code: { kind: 'inline', text: 'exports.h = 1' } }], notRun: [] },
    });
  });

  test('directory deleted after synth: says which, and to synthesize again', () => {
    const code = path.join(directory, 'code');
    mkdirSync(code, { recursive: true });
    writeFileSync(path.join(code, 'index.js'), '');
    synthesize(lambda.Code.fromAsset(code));
    const loaded = loadAssembly(out);
    const [deployed] = loaded.kind === 'assembly' ? loaded.assembly.functions : [];
    if (deployed?.code.kind === 'directory') rmSync(deployed.code.path, { recursive: true });

    expect(messages()).toEqual([expect.stringMatching(/needs the asset asset\.\w+, .* run `cdk synth`/)]);
  });
});

describe('circles between resources', () => {
  const queue = (name: unknown) => ({ Type: 'AWS::SQS::Queue', Properties: { Tags: [name] } });
  const cases: [title: string, resources: object, circle: string | undefined][] = [
    ['none', { A: queue({ Ref: 'B' }), B: queue('x') }, undefined],
    [
      'two roads to one resource',
      { A: queue([{ Ref: 'B' }, { Ref: 'C' }]), B: queue({ Ref: 'C' }), C: queue(1) },
      undefined,
    ],
    ['itself', { A: queue({ Ref: 'A' }) }, 'A -> A'],
    ['two', { A: queue({ Ref: 'B' }), B: queue({ 'Fn::GetAtt': 'A.Arn' }) }, 'A -> B -> A'],
    [
      'by Fn::Sub, behind a harmless one',
      { A: queue({ Ref: 'B' }), B: queue({ 'Fn::Sub': 'x${C.Arn}' }), C: queue({ Ref: 'B' }) },
      'B -> C -> B',
    ],
  ];

  test.each(cases)('%s', (_title, resources, circle) => {
    const message = expect.stringContaining(`circle of references, which AWS rejects: ${circle};`);
    const where = expect.stringMatching(/^Main\.template\.json: Resources\.\w\.Properties\.Tags\[0\]/);

    expect(problemsOf(resources)).toEqual(circle === undefined ? 'assembly' : [{ where, message }]);
  });

  test('a chain of 10,000 references: no circle, no overflow', () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `R${index}`);
    const chain = names.map((name, index) => [name, queue({ Ref: names[index + 1] ?? 'AWS::Region' })]);

    expect(problemsOf(Object.fromEntries(chain))).toBe('assembly');
  });
});

describe('any template at all', () => {
  test('arbitrary properties of every type we read: a result, never an exception', () => {
    const types = [
      'StepFunctions::StateMachine',
      'Lambda::Function',
      'DynamoDB::Table',
      'DynamoDB::GlobalTable',
      'Events::Rule',
    ];
    const names = [
      'Ref',
      'Fn::Sub',
      'Fn::Join',
      'Fn::If',
      'Fn::GetAtt',
      'Fn::Select',
      'Fn::FindInMap',
      'Code',
      'KeySchema',
      'Targets',
      'X',
      'S3Key',
      'DefinitionString',
      'GlobalSecondaryIndexes',
      'Environment',
      'EventPattern',
      '__proto__',
    ];
    const { tree } = fc.letrec(tie => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom('X', 'AWS::Region', 'X.Arn', '${X}', 1, true, null),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...names), tie('tree'), { maxKeys: 3 }),
      ),
    }));
    const template = fc.dictionary(fc.constantFrom(...names), tree).map(properties => properties);

    fc.assert(
      fc.property(fc.constantFrom(...types), template, tree, (type, properties, condition) => {
        const resources = { X: { Type: `AWS::${type}`, Properties: properties } };
        const template = { Resources: resources, Conditions: { X: condition }, Outputs: { X: condition } };
        writeAssembly(out, { Main: { template } });

        expect(['assembly', 'problems']).toContain(loadAssembly(out).kind);
      }),
      { numRuns: runs(50, 300) },
    );
  });
});
