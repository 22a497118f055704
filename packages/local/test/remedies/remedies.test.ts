import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { findResource } from '../../assembly/find-resource';
import { readAssembly } from '../../load-assembly';
import { writeAssembly } from '../assembly/assembly-directory';
import {
  type Attempt,
  delay,
  directory,
  exploring,
  files,
  fileWith,
  manifest,
  mocks,
  problemsOf,
  resource,
  running,
  stack,
  synthesized,
  template,
  thrownBy,
  usage,
  withAsset,
} from './attempts';
import { remediesInCode } from './remedies-in-code';

const TABLE = { AttributeDefinitions: [{ AttributeName: 'k', AttributeType: 'S' }] };
const KEY = { KeySchema: [{ AttributeName: 'k', KeyType: 'HASH' }], BillingMode: 'PAY_PER_REQUEST' };
const GOOD = { Answers: { A: { Return: {} } } };
const queue = (Properties: object = {}) => ({ Type: 'AWS::SQS::Queue', Properties });
const MACHINE = 'arn:aws:states:us-east-1:111111111111:stateMachine:M';
const FUNCTION = { Runtime: 'nodejs22.x', Handler: 'index.handler' };
const MAPPING = { EventSourceArn: 'arn:aws:sqs:us-east-1:222222222222:q', FunctionName: 'f' };
const MAYBE = {
  Conditions: { C: { 'Fn::Equals': ['a', 'b'] } },
  Resources: { M: { ...queue(), Condition: 'C' } },
};
const TWO_FUNCTIONS = {
  Resources: Object.fromEntries(
    ['A', 'B'].map(id => [
      id,
      {
        Type: 'AWS::Lambda::Function',
        Properties: { ...FUNCTION, Code: { ZipFile: '' } },
        Metadata: { 'aws:cdk:path': `${id}/Pay/F/Resource` },
      },
    ]),
  ),
};
const PASS = { StartAt: 'A', States: { A: { Type: 'Pass', End: true } } };
/** A module of `--with` that has these invariants. */
const moduleWith = (invariants: string) => {
  const file = path.join(directory, `with-${invariants.length}.cjs`);
  writeFileSync(file, `exports.invariants = ${invariants};`);
  return file;
};
const INVARIANTS = moduleWith('{ holds: () => true }');
const NONE = ['ends', 'locks', 'puts'].flatMap(name => ['--without', name]);
/** More than YAML can have. */
const LONG = 'x'.repeat(5 * 2 ** 20);
const ALIASES = [
  'a: &a [x, x, x, x, x, x, x, x, x]',
  ...['b', 'c', 'd', 'e', 'f', 'g'].map((name, index) => {
    const before = String.fromCharCode('a'.charCodeAt(0) + index);
    return `${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(', ')}]`;
  }),
].join('\n');
const testCasesOf = (machine: string) =>
  fileWith('cases.json', {
    StateMachines: { [machine]: { TestCases: { Happy: { A: 'R' } } } },
    MockedResponses: { R: { 0: { Return: {} } } },
  });
const TWO_MACHINES = {
  Resources: Object.fromEntries(
    ['A', 'B'].map(id => [
      id,
      { Type: 'AWS::StepFunctions::StateMachine', Properties: { Definition: PASS } },
    ]),
  ),
};
const TOKEN = {
  StartAt: 'Ask',
  States: {
    Ask: {
      Type: 'Task',
      Resource: 'arn:aws:states:::events:putEvents.waitForTaskToken',
      Parameters: { Entries: [{ Source: 's', DetailType: 'ask', Detail: { 'token.$': '$$.Task.Token' } }] },
      End: true,
    },
  },
};
const machineOf = (...Versions: object[]) => ({ Name: 'live', RoutingConfiguration: Versions });

/** An app that writes to a table of another app. */
function putting(): string {
  const Item = { k: { S: '1' } };
  const Put = {
    Type: 'Task',
    Resource: 'arn:aws:states:::dynamodb:putItem',
    Parameters: { TableName: 'orders', Item },
    End: true,
  };
  const Definition = { StartAt: 'Put', States: { Put } };
  const X = { Type: 'AWS::StepFunctions::StateMachine', Properties: { Definition } };
  return writeAssembly(path.join(directory, 'putting'), { Main: { template: { Resources: { X } } } });
}

function found(asked: string): string {
  const one = (constructPath: string) => ({
    ...{ logicalId: 'X', stack: 'Main', type: 'T', name: 'x', ref: 'x' },
    constructPath,
  });
  const search = findResource(['Main/Orders', 'Other/Orders'].map(one), asked);
  return search.kind === 'problem' ? search.message : '';
}

/** Each form in which AWS reads a value of an account: what is asked for, and the same with what the message says. */
function asked(): { readonly broken: string; readonly followed: string } {
  const forms: readonly [object | string, object?][] = [
    [{ Ref: 'P' }, { Parameters: { P: { Type: 'Number' } } }],
    [
      { Ref: 'P' },
      { Parameters: { P: { Type: 'AWS::SSM::Parameter::Value<String>', Default: '/shop/delay' } } },
    ],
    ['{{resolve:ssm:/shop/delay}}'],
    ['{{resolve:secretsmanager:shop:SecretString:delay}}'],
    [{ 'Fn::ImportValue': 'Delay' }],
    [{ 'Fn::GetStackOutput': { StackName: 'Shop', OutputName: 'Delay' } }],
  ];
  const tried = forms.map(([value, more]) => {
    const broken = String(delay(value, more)());
    const [, name = 'nothing'] = /--parameter '(.+?)=VALUE'/.exec(broken) ?? [];
    return { broken, followed: String(delay(value, more, { parameters: { [name]: '5' } })()) };
  });
  return {
    broken: tried.map(each => each.broken).join('\n'),
    followed: tried.map(each => each.followed).join(''),
  };
}

/** Each remedy: what meets it, and the same after what it says. */
const ROWS: Readonly<Record<string, { readonly broken: Attempt; readonly followed: Attempt }>> = {
  'assembly/assets: run `cdk synth`': {
    broken: files(withAsset('gone.json', 'code.json')),
    followed: files(withAsset('code.json', 'code.json')),
  },
  'assembly/cycles: break it': {
    broken: template({
      Resources: { A: queue({ Tags: [{ Ref: 'B' }] }), B: queue({ Tags: [{ Ref: 'A' }] }) },
    }),
    followed: template({ Resources: { A: queue({ Tags: [{ Ref: 'B' }] }), B: queue() } }),
  },
  'assembly/find-resource: pass the whole path of one: …': {
    broken: () => found('Orders'),
    followed: () => found('Main/Orders'),
  },
  'assembly/imported: serve a template that has it beside the app, create it with a client, or mock the state':
    {
      broken: () => problemsOf(putting()),
      followed: () =>
        problemsOf([
          putting(),
          writeAssembly(path.join(directory, 'beside'), {
            Beside: {
              template: {
                Resources: {
                  T: { Type: 'AWS::DynamoDB::Table', Properties: { TableName: 'orders', ...TABLE, ...KEY } },
                },
              },
            },
          }),
        ]),
    },
  'assembly/intrinsics: write the value out instead': {
    broken: delay({ 'Fn::Cidr': ['10.0.0.0/24', 2] }),
    followed: delay(5),
  },
  'assembly/intrinsics/conditions: use Fn::Equals, Fn::And, Fn::Or, Fn::Not': {
    broken: delay({ 'Fn::If': ['C', 1, 2] }, { Conditions: { C: { 'Fn::Contains': [['a'], 'a'] } } }),
    followed: delay({ 'Fn::If': ['C', 1, 2] }, { Conditions: { C: { 'Fn::Equals': ['a', 'a'] } } }),
  },
  'assembly/intrinsics/exports: synthesize that stack too, or …': {
    broken: delay({ 'Fn::ImportValue': 'Delay' }),
    followed: () =>
      problemsOf(
        writeAssembly(path.join(directory, 'app'), {
          Main: { template: { Resources: { X: queue({ DelaySeconds: { 'Fn::ImportValue': 'Delay' } }) } } },
          Other: { template: { Outputs: { D: { Value: '5', Export: { Name: 'Delay' } } } } },
        }),
      ),
  },
  'assembly/intrinsics/lookups: add it there': {
    broken: delay({ 'Fn::FindInMap': ['M', 'a', 'b'] }),
    followed: delay({ 'Fn::FindInMap': ['M', 'a', 'b'] }, { Mappings: { M: { a: { b: 5 } } } }),
  },
  'assembly/intrinsics/lookups: count from 0': {
    broken: delay({ 'Fn::Select': [1, ['5']] }),
    followed: delay({ 'Fn::Select': [0, ['5']] }),
  },
  "assembly/intrinsics/parameters: pass --parameter '…=VALUE', or `parameters: { '…': '…' }` in a test": {
    broken: () => asked().broken,
    followed: () => asked().followed,
  },
  'assembly/intrinsics/references: guard the reference with Fn::If': {
    broken: template({
      ...MAYBE,
      Resources: { ...MAYBE.Resources, X: queue({ DelaySeconds: { 'Fn::GetAtt': 'M.QueueName' } }) },
    }),
    followed: template({
      ...MAYBE,
      Resources: {
        ...MAYBE.Resources,
        X: queue({ DelaySeconds: { 'Fn::If': ['C', { 'Fn::GetAtt': 'M.QueueName' }, 5] } }),
      },
    }),
  },
  'assembly/intrinsics/references: pass the value in by parameter, or leave the reference out of what runs locally':
    {
      broken: template({
        Resources: {
          X: queue({ DelaySeconds: { 'Fn::GetAtt': 'V.Seconds' } }),
          V: { Type: 'Custom::Delay' },
        },
      }),
      followed: delay({ Ref: 'P' }, { Parameters: { P: { Type: 'Number' } } }, { parameters: { P: '5' } }),
    },
  'assembly/json-file: run `cdk synth` again to rewrite it': {
    broken: files({ 'manifest.json': '{"artifacts":' }),
    followed: synthesized,
  },
  'assembly/json-file: run `cdk synth` to write the cloud assembly': {
    broken: files(manifest(stack('Main.template.json'))),
    followed: synthesized,
  },
  'assembly/manifest: give the directory that `cdk synth` writes': {
    broken: files({ 'manifest.json': {} }),
    followed: synthesized,
  },
  'assembly/manifest: run `cdk synth` again': {
    broken: files(manifest({ Main: { type: 'aws:cloudformation:stack', properties: {} } })),
    followed: synthesized,
  },
  'assembly/read-resources: rename one': {
    broken: template({ Resources: { A: queue({ QueueName: 'a' }), B: queue({ QueueName: 'a' }) } }),
    followed: template({ Resources: { A: queue({ QueueName: 'a' }), B: queue({ QueueName: 'b' }) } }),
  },
  'assembly/read-stacks: give a directory that `cdk synth` writes, a template of SAM or CloudFormation, the directory of one, or a state machine':
    {
      broken: files({ 'notes.json': { a: 1 } }, 'notes.json'),
      followed: files({ 'order.asl.json': { StartAt: 'A', States: { A: { Type: 'Pass', End: true } } } }),
    },
  'assembly/read-document: write JSON': {
    broken: files({ 'long.asl.yaml': `# ${LONG}\n${JSON.stringify(PASS)}` }),
    followed: files({ 'long.asl.json': { ...PASS, Comment: LONG } }),
  },
  'assembly/read-document: write out what they stand for': {
    broken: files({ 'bomb.asl.yaml': ALIASES }),
    followed: files({ 'plain.asl.yaml': JSON.stringify(PASS) }),
  },
  'assembly/reading: break the circle': {
    broken: delay({ Ref: 'A' }, { Resources: { X: queue({ QueueName: { 'Fn::GetAtt': 'X.QueueName' } }) } }),
    followed: template({ Resources: { X: queue({ QueueName: 'a' }) } }),
  },
  'assembly/replaced-functions: name one of …': {
    broken: template(TWO_FUNCTIONS, { functions: { 'Pay/F': 'http://127.0.0.1:1' } }),
    followed: template(TWO_FUNCTIONS, {
      functions: { 'A/Pay/F': 'http://127.0.0.1:1', 'B/Pay/F': 'http://127.0.0.1:1' },
    }),
  },
  'assembly/template: give it one': {
    broken: template({ Resources: { X: {} } }),
    followed: template({ Resources: { X: queue() } }),
  },
  'assembly/template: omit the value': { broken: delay(null), followed: delay(undefined) },
  'assembly/template: run `cdk synth` again': {
    broken: files({ ...manifest(stack('T.json')), 'T.json': { Resources: [] } }),
    followed: synthesized,
  },
  'assembly/text-file: save it as UTF-8': {
    broken: files({ 'wide.asl.json': Buffer.from(`\ufeff${JSON.stringify(PASS)}`, 'utf16le') }),
    followed: files({ 'plain.asl.json': PASS }),
  },
  'command/arguments: leave `serve` out for an empty endpoint': { broken: usage('serve'), followed: usage() },
  'command/arguments: did you mean `…`?': {
    broken: usage('order.asl.json'),
    followed: usage('serve', 'order.asl.json'),
  },
  'command/arguments: if the value begins with a dash, write --…=VALUE': {
    broken: usage('run', 'order.asl.json', '--input', '-a.json'),
    followed: usage('run', 'order.asl.json', '--input=-a.json'),
  },
  'command/arguments: pass it only once': {
    broken: usage('serve', '.', '--parameter', 'a=1', '--parameter', 'a=2'),
    followed: usage('serve', '.', '--parameter', 'a=1'),
  },
  'command/arguments: write . for this directory': {
    broken: usage('serve', ''),
    followed: usage('serve', '.'),
  },
  'command/explore: leave one in, or export `invariants` from --with FILE': {
    broken: () => exploring('pass.asl.json', PASS, ...NONE),
    followed: () => exploring('pass.asl.json', PASS, ...NONE, '--with', INVARIANTS),
  },
  'command/explore: raise --states': {
    broken: () => exploring('pass.asl.json', PASS, '--states', '1'),
    followed: () => exploring('pass.asl.json', PASS, '--states', '100'),
  },
  'command/explored-module: pass a function of what there is': {
    broken: () => exploring('pass.asl.json', PASS, '--with', moduleWith('{ holds: true }')),
    followed: () => exploring('pass.asl.json', PASS, '--with', INVARIANTS),
  },
  'command/machine: pass --machine with one of …': {
    broken: async () =>
      [await running('template.json', TWO_MACHINES), exploring('template.json', TWO_MACHINES)].join('\n'),
    followed: async () =>
      (await running('template.json', TWO_MACHINES, '--machine', 'A')) +
      exploring('template.json', TWO_MACHINES, '--machine', 'A'),
  },
  'command/run: add one to the mocks: "…": {"Return": {}}': {
    broken: () => running('token.asl.json', TOKEN),
    followed: () =>
      running(
        'token.asl.json',
        TOKEN,
        '--mocks',
        fileWith('mocks.json', { Answers: { Ask: { Return: {} } } }),
      ),
  },
  'command/run: name one as the other': {
    broken: () => running('one.asl.json', PASS, '--mocks', testCasesOf('other')),
    followed: () => running('one.asl.json', PASS, '--mocks', testCasesOf('one'), '--case', 'Happy'),
  },
  'command/run: pass --case with one of …': {
    broken: () => running('one.asl.json', PASS, '--mocks', testCasesOf('one')),
    followed: () => running('one.asl.json', PASS, '--mocks', testCasesOf('one'), '--case', 'Happy'),
  },
  'load-assembly: give its directory as a text, such as app.synth().directory': {
    broken: thrownBy(() => readAssembly({} as never)),
    followed: thrownBy(() => readAssembly(putting())),
  },
  'mocks/read-mocks: add it there': {
    broken: mocks({ Answers: { A: 'Charged' } }),
    followed: mocks({ Answers: { A: 'Charged' }, MockedResponses: { Charged: { 0: { Return: {} } } } }),
  },
  'mocks/read-mocks: give it an answer': {
    broken: mocks({ Answers: { A: [] } }),
    followed: mocks({ Answers: { A: [{ Return: {} }] } }),
  },
  'mocks/read-mocks: write …': { broken: mocks({ ...GOOD, Anwsers: {} }), followed: mocks(GOOD) },
  'services/dynamodb/cloudformation: name the partition key': {
    broken: resource('DynamoDB::Table', { ...TABLE, ...KEY, KeySchema: [] }),
    followed: resource('DynamoDB::Table', { ...TABLE, ...KEY }),
  },
  'services/dynamodb/cloudformation: set it or bill per request': {
    broken: resource('DynamoDB::Table', { ...TABLE, KeySchema: KEY.KeySchema }),
    followed: resource('DynamoDB::Table', { ...TABLE, ...KEY }),
  },
  'services/events/cloudformation: a rule needs a pattern or a ScheduleExpression': {
    broken: resource('Events::Rule', {}),
    followed: resource('Events::Rule', { ScheduleExpression: 'rate(1 day)' }),
  },
  'services/lambda/cloudformation: use Code.fromAsset with a directory': {
    broken: resource('Lambda::Function', FUNCTION),
    followed: () =>
      files({
        ...manifest({
          ...stack('T.json'),
          Assets: { type: 'cdk:asset-manifest', properties: { file: 'A.json' } },
        }),
        'A.json': {
          files: { one: { source: { path: '.' }, destinations: { here: { objectKey: 'code' } } } },
        },
        'T.json': {
          Resources: {
            X: { Type: 'AWS::Lambda::Function', Properties: { ...FUNCTION, Code: { S3Key: 'code' } } },
          },
        },
      })(),
  },
  'services/lambda/event-sources/cloudformation: filter in the function': {
    broken: resource('Lambda::EventSourceMapping', { ...MAPPING, FilterCriteria: {} }),
    followed: resource('Lambda::EventSourceMapping', MAPPING),
  },
  'services/states/cloudformation: give a single file': {
    broken: files(withAsset('.', 'code.json')),
    followed: files(withAsset('code.json', 'code.json')),
  },
  'services/states/cloudformation: name the version that executions run': {
    broken: resource('StepFunctions::StateMachineAlias', machineOf()),
    followed: resource(
      'StepFunctions::StateMachineAlias',
      machineOf({ StateMachineVersionArn: `${MACHINE}:1`, Weight: 100 }),
    ),
  },
};

/** A remedy in the code as a pattern of the message. */
function patternOf(remedy: string): RegExp {
  const [, text = ''] = /^[^:]+: (.*)$/s.exec(remedy) ?? [];
  return new RegExp(
    text
      .split('…')
      .map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*'),
  );
}

describe('what an error says to do', () => {
  test('is tried here, for each error that stops an app or a command', () => {
    expect(Object.keys(ROWS).sort()).toEqual(remediesInCode());
  });

  test.each(Object.entries(ROWS))('%s: the error is gone then', async (remedy, { broken, followed }) => {
    expect(await broken()).toMatch(patternOf(remedy));
    // Nothing else is wrong, either.
    expect(await followed()).toBe('');
  });
});
