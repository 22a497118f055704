import path from 'node:path';
import type { LoadOptions } from '../../assembly/load';
import type { Json } from '../../json/json';
import { loadAssembly } from '../../load-assembly';
import { temporaryDirectory, writeAssembly } from './assembly-directory';

const directory = temporaryDirectory();

const TEMPLATE = {
  Parameters: {
    Size: { Type: 'Number', Default: 3 },
    Names: { Type: 'CommaDelimitedList', Default: 'a, b' },
    Stage: { Type: 'String', Default: 'test' },
    Open: { Type: 'String' },
    Stored: { Type: 'AWS::SSM::Parameter::Value<String>', Default: '/shop/limit' },
  },
  Mappings: { Limits: { test: { max: 10 }, 'us-east-1': { max: 20 } } },
  Conditions: {
    IsTest: { 'Fn::Equals': [{ Ref: 'Stage' }, 'test'] },
    IsThree: { 'Fn::Equals': [{ Ref: 'Size' }, 3] },
    IsLive: { 'Fn::Not': [{ Condition: 'IsTest' }] },
    Both: { 'Fn::And': [{ Condition: 'IsTest' }, { Condition: 'IsThree' }] },
    NotBoth: { 'Fn::And': [{ Condition: 'IsTest' }, { Condition: 'IsLive' }] },
    Either: { 'Fn::Or': [{ Condition: 'IsLive' }, { Condition: 'IsTest' }] },
    Round: { Condition: 'Trip' },
    Trip: { Condition: 'Round' },
  },
  Resources: {
    Queue: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'work' } },
    Unnamed: { Type: 'AWS::SQS::Queue' },
    Named: { Type: 'AWS::SQS::Queue', Properties: { QueueName: { 'Fn::Sub': '${Stage}-queue' } } },
    Live: { Type: 'AWS::SQS::Queue', Condition: 'IsLive' },
    Pool: { Type: 'AWS::Cognito::UserPool' },
    Role: { Type: 'AWS::IAM::Role' },
    Logs: { Type: 'AWS::Logs::LogGroup', Properties: { LogGroupName: '/x' } },
    Version: { Type: 'AWS::Lambda::Version', Properties: { FunctionName: 'fn' } },
    Alias: { Type: 'AWS::Lambda::Alias', Properties: { FunctionName: 'fn', Name: 'live' } },
    Rule: {
      Type: 'AWS::Events::Rule',
      Properties: { Name: 'r', EventBusName: 'b', ScheduleExpression: 'rate(1 day)' },
    },
    Self: { Type: 'AWS::SQS::Queue', Properties: { QueueName: { Ref: 'Other' } } },
    Other: { Type: 'AWS::SQS::Queue', Properties: { QueueName: { 'Fn::GetAtt': ['Self', 'QueueName'] } } },
  },
};

/** Resolves an expression where it has to hold: as the input of a rule's target, so that problems count. */
function resolveInTarget(expression: Json, options: LoadOptions = {}): unknown {
  const { Self: _self, Other: _other, ...calm } = TEMPLATE.Resources;
  const mentionsCircle = JSON.stringify(expression).includes('Self');
  const pattern = { probe: expression };
  const probe = { Type: 'AWS::Events::Rule', Properties: { Name: 'probe', EventPattern: pattern } };
  const resources = mentionsCircle ? { ...TEMPLATE.Resources, Probe: probe } : { ...calm, Probe: probe };
  const data = {
    template: {
      Outputs: { Limit: { Value: { 'Fn::Sub': 'limit-${AWS::StackName}' }, Export: { Name: 'limit' } } },
    },
  };
  const main = { template: { ...TEMPLATE, Resources: resources }, dependencies: ['Data'] };
  writeAssembly(path.join(directory, 'out'), { Data: data, Main: main });
  const result = loadAssembly(path.join(directory, 'out'), options);
  if (result.kind === 'problems') return result.problems;
  const notRun = result.assembly.notRun.find(({ logicalId }) => logicalId === 'Probe');
  if (notRun) return { notRun: notRun.reason };
  return result.assembly.rules.find(({ name }) => name === 'probe')?.pattern?.['probe'];
}

describe('intrinsic functions', () => {
  const SQS = 'arn:aws:sqs:us-east-1:111111111111';
  const cases: [title: string, expression: Json, expected: Json | undefined][] = [
    ['plain values', ['x', 1, true, { a: { b: [] } }], ['x', 1, true, { a: { b: [] } }]],
    ['object with Ref beside other members: data', { Ref: 'Queue', x: 1 }, { Ref: 'Queue', x: 1 }],
    ['Ref of a queue: its URL', { Ref: 'Queue' }, 'https://sqs.us-east-1.amazonaws.com/111111111111/work'],
    ['Ref of a rule on a custom bus', { Ref: 'Rule' }, 'b|r'],
    ['Ref of a type we do not know: a name', { Ref: 'Pool' }, 'Main-Pool'],
    ['Ref of a parameter: text', { Ref: 'Size' }, '3'],
    ['Ref of a list parameter', { Ref: 'Names' }, ['a', 'b']],
    ['GetAtt as list', { 'Fn::GetAtt': ['Queue', 'Arn'] }, `${SQS}:work`],
    ['GetAtt as text', { 'Fn::GetAtt': 'Unnamed.Arn' }, `${SQS}:Main-Unnamed`],
    ['GetAtt of a role', { 'Fn::GetAtt': ['Role', 'Arn'] }, 'arn:aws:iam::111111111111:role/Main-Role'],
    [
      'GetAtt of a log group',
      { 'Fn::GetAtt': 'Logs.Arn' },
      'arn:aws:logs:us-east-1:111111111111:log-group:/x:*',
    ],
    ['Ref of a version', { Ref: 'Version' }, 'arn:aws:lambda:us-east-1:111111111111:function:fn:1'],
    ['Ref of an alias', { Ref: 'Alias' }, 'arn:aws:lambda:us-east-1:111111111111:function:fn:live'],
    ['name made by a function', { 'Fn::GetAtt': ['Named', 'QueueName'] }, 'test-queue'],
    ['Join of texts, numbers and functions', { 'Fn::Join': ['-', ['a', 1, { Ref: 'Stage' }]] }, 'a-1-test'],
    ['Join of a list parameter', { 'Fn::Join': ['+', { Ref: 'Names' }] }, 'a+b'],
    [
      'Join without what NoValue leaves out',
      { 'Fn::Join': ['-', ['a', { Ref: 'AWS::NoValue' }, 'b']] },
      'a-b',
    ],
    ['Sub of text', { 'Fn::Sub': '${Stage}/${Queue.Arn}/${AWS::Region}' }, `test/${SQS}:work/us-east-1`],
    ['Sub with variables: they win', { 'Fn::Sub': ['${Stage}-${x}', { Stage: 'own', x: 1 }] }, 'own-1'],
    ['Sub of an escape', { 'Fn::Sub': '${!Stage}' }, '${Stage}'],
    ['Select by number', { 'Fn::Select': [1, ['a', 'b']] }, 'b'],
    ['Select by text, out of Split', { 'Fn::Select': ['2', { 'Fn::Split': ['/', 'a/b/c'] }] }, 'c'],
    ['Select: the items not chosen are not resolved', { 'Fn::Select': [0, ['a', { Ref: 'Nobody' }]] }, 'a'],
    ['Split', { 'Fn::Split': [',', 'a,,b'] }, ['a', '', 'b']],
    ['If, true', { 'Fn::If': ['IsTest', 'yes', { Ref: 'Nobody' }] }, 'yes'],
    ['If, false', { 'Fn::If': ['IsLive', { Ref: 'Nobody' }, 'no'] }, 'no'],
    ['Equals: number and text', { 'Fn::If': ['IsThree', 'yes', 'no'] }, 'yes'],
    ['And, all true', { 'Fn::If': ['Both', 'yes', 'no'] }, 'yes'],
    ['And, one false', { 'Fn::If': ['NotBoth', 'yes', 'no'] }, 'no'],
    ['Or, one true', { 'Fn::If': ['Either', 'yes', 'no'] }, 'yes'],
    [
      'NoValue in an object and a list: gone',
      { a: { Ref: 'AWS::NoValue' }, b: [{ Ref: 'AWS::NoValue' }] },
      { b: [] },
    ],
    ['FindInMap', { 'Fn::FindInMap': ['Limits', { Ref: 'AWS::Region' }, 'max'] }, 20],
    ['FindInMap, default', { 'Fn::FindInMap': ['Limits', 'x', 'max', { DefaultValue: 1 }] }, 1],
    ['ImportValue', { 'Fn::ImportValue': 'limit' }, 'limit-Data'],
    ['GetStackOutput', { 'Fn::GetStackOutput': { StackName: 'Data', OutputName: 'Limit' } }, 'limit-Data'],
    ['Base64', { 'Fn::Base64': 'a' }, 'YQ=='],
    ['ToJsonString', { 'Fn::ToJsonString': { a: { Ref: 'Stage' } } }, '{"a":"test"}'],
    ['Length', { 'Fn::Length': { Ref: 'Names' } }, 2],
    ['GetAZs', { 'Fn::GetAZs': '' }, ['us-east-1a', 'us-east-1b', 'us-east-1c']],
    ['pseudo: account', { Ref: 'AWS::AccountId' }, '111111111111'],
    ['pseudo: partition', { Ref: 'AWS::Partition' }, 'aws'],
    ['pseudo: URL suffix', { Ref: 'AWS::URLSuffix' }, 'amazonaws.com'],
    ['pseudo: stack name', { Ref: 'AWS::StackName' }, 'Main'],
  ];

  test.each(cases)('%s', (_title, expression, expected) => {
    expect(resolveInTarget(expression)).toEqual(expected);
  });

  test('StackId: an ARN with a UUID, the same in every run', () => {
    const ids = [resolveInTarget({ Ref: 'AWS::StackId' }), resolveInTarget({ Ref: 'AWS::StackId' })];

    expect(ids[0]).toMatch(
      /^arn:aws:cloudformation:us-east-1:111111111111:stack\/Main\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-/,
    );
    expect(ids[1]).toBe(ids[0]);
  });

  test('parameter given: wins over the default; scoped to a stack, over both', () => {
    const expression = [{ Ref: 'Stage' }, { Ref: 'Open' }, { Ref: 'Stored' }];
    const parameters = { Stage: 'a', 'Main:Stage': 'b', Open: 'c', Stored: '7' };

    expect(resolveInTarget(expression, { parameters })).toEqual(['b', 'c', '7']);
  });
});

test('the ARN of a type we do not know: one that leads nowhere', () => {
  const arn = 'arn:aws:cognito:us-east-1:111111111111:userPool/Main-Pool';

  expect(resolveInTarget({ 'Fn::GetAtt': ['Pool', 'Arn'] })).toBe(arn);
});

test('a parameter without a default is named once, with what to pass', () => {
  expect(resolveInTarget([{ Ref: 'Open' }, { Ref: 'Open' }])).toEqual([
    {
      where: 'Main.template.json: Parameters.Open',
      message: expect.stringContaining("--parameter 'Open=VALUE'"),
    },
  ]);
});

describe('references that do not resolve', () => {
  const probePath = (rest: string) =>
    `Main.template.json: Resources.Probe.Properties.EventPattern.probe.${rest}`;
  const cases: [title: string, expression: Json, where: string, message: RegExp][] = [
    ['unknown resource', { Ref: 'Nobody' }, 'Ref', /`Nobody`, which stack `Main` does not define/],
    [
      'name of an inherited member',
      { Ref: 'constructor' },
      'Ref',
      /`constructor`, which stack `Main` does not define/,
    ],
    [
      'unknown in a Join: its index',
      { 'Fn::Join': ['', ['a', { Ref: 'Nobody' }]] },
      'Fn::Join[1][1].Ref',
      /Nobody/,
    ],
    ['unknown in a Sub', { 'Fn::Sub': 'x${Nobody.Arn}' }, 'Fn::Sub.${Nobody.Arn}.Fn::GetAtt', /Nobody/],
    ['resource not created', { Ref: 'Live' }, 'Ref', /not created because the condition `IsLive` is false/],
    ['unknown pseudo parameter', { Ref: 'AWS::Moon' }, 'Ref', /not a pseudo parameter/],
    [
      'unknown condition',
      { 'Fn::If': ['IsMoon', 1, 2] },
      'Fn::If',
      /condition `IsMoon`, which is not defined/,
    ],
    ['parameter from Parameter Store', { Ref: 'Stored' }, 'Ref', /Parameter Store entry `\/shop\/limit`/],
    [
      'nothing in the map',
      { 'Fn::FindInMap': ['Limits', 'x', 'max'] },
      'Fn::FindInMap',
      /Limits \/ x \/ max/,
    ],
    ['Select out of range', { 'Fn::Select': [2, ['a', 'b']] }, 'Fn::Select', /item 2 of 2/],
    ['import that no stack exports', { 'Fn::ImportValue': 'x' }, 'Fn::ImportValue', /no stack here exports/],
    [
      'output of no stack',
      { 'Fn::GetStackOutput': { StackName: 'X', OutputName: 'Y' } },
      'Fn::GetStackOutput',
      /stack `X`/,
    ],
    [
      'no such output',
      { 'Fn::GetStackOutput': { StackName: 'Data', OutputName: 'Y' } },
      'Fn::GetStackOutput',
      /`Y` of/,
    ],
    ['unknown function', { 'Fn::Cidr': ['10.0.0.0/16', 1, 8] }, 'probe', /uses Fn::Cidr/],
    ['Join without parts', { 'Fn::Join': 'a' }, 'Fn::Join', /must be \[delimiter, \[parts\]\]/],
    ['Join of an object', { 'Fn::Join': ['', [{}]] }, 'Fn::Join[1][0]', /must be text/],
  ];

  test.each(cases)('%s: named with its path', (_title, expression, where, message) => {
    const expected = where === 'probe' ? probePath('').slice(0, -1) : probePath(where);

    expect(resolveInTarget(expression)).toEqual([
      { where: expected, message: expect.stringMatching(message) },
    ]);
  });

  test.each([
    ['unknown attribute of a known type', { 'Fn::GetAtt': 'Queue.Depth' }, /`Depth`.*without a local value/],
    ['inherited attribute', { 'Fn::GetAtt': 'Queue.toString' }, /`toString`.*without a local value/],
    ['dynamic reference', 'x{{resolve:ssm:/a}}', /{{resolve:ssm:\/a}}/],
  ])('%s: what needs it is not run, and says why', (_title, expression, reason) => {
    expect(resolveInTarget(expression)).toEqual({ notRun: expect.stringMatching(reason) });
  });

  test('attribute of an unknown type: made up, so that what hands it on can run', () => {
    expect(resolveInTarget({ 'Fn::GetAtt': ['Pool', 'ProviderName'] })).toBe('Main-Pool.ProviderName');
  });

  test('names that refer to each other: the circle is shown', () => {
    const problems = resolveInTarget({ 'Fn::GetAtt': ['Self', 'QueueName'] });

    expect(problems).toContainEqual({
      where: 'Main.template.json: Resources.Other.Properties.QueueName.Fn::GetAtt',
      message: expect.stringMatching(/refers to itself: .*Self.*Other.*Self/),
    });
  });

  test('conditions that refer to each other: the circle is shown', () => {
    const message = expect.stringContaining(
      'Main/Conditions.Round -> Main/Conditions.Trip -> Main/Conditions.Round',
    );

    expect(resolveInTarget({ 'Fn::If': ['Round', 1, 2] })).toEqual([
      { where: 'Main.template.json: Conditions.Trip.Condition', message },
    ]);
  });
});
