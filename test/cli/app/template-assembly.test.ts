import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readDocument } from '../../../cli/app/read-document';
import { templateAssembly } from '../../../cli/app/template-assembly';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'onceflow-document-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

function file(name: string, text: string): string {
  const written = path.join(directory, name);
  writeFileSync(written, text);
  return written;
}

/** The files for a template, without a function that stands in. */
async function templateOf(text: string, parameters: readonly string[] = [], step?: string) {
  const made = await templateAssembly({ template: file('shop.yaml', text), parameters, step });
  try {
    const template = JSON.parse(readFileSync(path.join(made.directory, 'template.json'), 'utf8'));
    return { ...made, template };
  } finally {
    rmSync(made.directory, { recursive: true });
  }
}

const RESOURCES = { Topic: { Type: 'AWS::SNS::Topic' } };
const WITH_STEP = [
  'Parameters: { StepFunctionArn: { Type: String }, Other: { Type: String, Default: a } }',
  `Resources: ${JSON.stringify(RESOURCES)}`,
].join('\n');

describe('readDocument', () => {
  test('CloudFormation in YAML: its short forms are functions', () => {
    const text = [
      'A: !Ref Table',
      'B: !GetAtt Table.Arn',
      'C: !Sub "${A}-b"',
      'D: !Join ["", [a, !Ref B]]',
      'E: !If [Yes, 1, !Ref "AWS::NoValue"]',
    ].join('\n');

    expect(readDocument(file('a.yaml', text))).toEqual({
      A: { Ref: 'Table' },
      B: { 'Fn::GetAtt': 'Table.Arn' },
      C: { 'Fn::Sub': '${A}-b' },
      D: { 'Fn::Join': ['', ['a', { Ref: 'B' }]] },
      E: { 'Fn::If': ['Yes', 1, { Ref: 'AWS::NoValue' }] },
    });
  });

  test.each([
    ['[1]', 'must contain an object in JSON or YAML'],
    ['{"a": ', 'is neither JSON nor YAML from line 1 on'],
    ['', 'must contain an object in JSON or YAML'],
  ])('%j: rejected with the name of the file', (text, message) => {
    expect(() => readDocument(file('a.json', text))).toThrow(`a.json ${message}`);
  });

  test.each([
    'password: "sesame',
    'a: 1\n*sesame : 2',
    'a: *sesame',
    'a: !sesame 1\nb: {',
    'sesame: 1\nsesame: 2',
    'a: &sesame [*sesame]',
  ])('%j: the message quotes nothing of the file', text => {
    expect(() => readDocument(file('a.yaml', text))).toThrow(
      /a\.yaml (?!.*sesame)(is neither JSON nor YAML|has an alias without an anchor)/,
    );
  });
});

describe('templateAssembly', () => {
  test('a template without a resource: an assembly with nothing in it', async () => {
    const { template } = await templateOf('{"Resources":{}}');

    expect(template).toMatchObject({ Resources: {} });
  });

  test('the props of a workflow in place of a template: rejected, with the command that makes one', async () => {
    await expect(templateOf("idempotencyKey: '{% $states.input.id %}'")).rejects.toThrow(
      /shop\.yaml is not a CloudFormation template, because it has no Resources\. `onceflow template` writes one/,
    );
  });

  test('a value of a parameter is its default', async () => {
    const { template, isStandIn } = await templateOf(WITH_STEP, ['Other=b=c', 'StepFunctionArn=arn:x']);

    expect(template.Parameters).toMatchObject({
      Other: { Default: 'b=c' },
      StepFunctionArn: { Default: 'arn:x' },
    });
    expect({ isStandIn, resources: template.Resources }).toEqual({ isStandIn: false, resources: RESOURCES });
  });

  test('no function for the step: one that answers with its event stands in', async () => {
    const { template, isStandIn } = await templateOf(WITH_STEP);

    expect(isStandIn).toBe(true);
    expect(template.Resources.StepFunctionOnThisMachine.Properties.FunctionName).toBe('step');
    expect(template.Parameters.StepFunctionArn.Default).toMatch(/:function:step$/);
  });

  test('a file in Python: its handler', async () => {
    const { template, isStandIn } = await templateOf(WITH_STEP, [], file('charge.py', ''));

    expect(isStandIn).toBe(false);
    expect(template.Resources.StepFunctionOnThisMachine.Properties).toMatchObject({
      Handler: 'charge.handler',
      Runtime: expect.stringMatching(/^python/),
    });
  });

  test.each<[string, string[], string | undefined, string]>([
    [WITH_STEP, ['Othr=1'], undefined, 'has no parameter Othr. Its parameters are StepFunctionArn, Other'],
    [WITH_STEP, ['Other'], undefined, '--parameter must be NAME=VALUE; got "Other"'],
    [WITH_STEP, [], 'nowhere.js', '--step must be an existing JavaScript or Python file'],
    [WITH_STEP, [], 'README.md', '--step must be an existing JavaScript or Python file'],
    ['Resources: { A: {} }', [], 'step.js', '--step sets the parameter StepFunctionArn'],
  ])('%s with %j and %j: rejected', async (text, parameters, step, message) => {
    await expect(templateOf(text, parameters, step)).rejects.toThrow(message);
  });
});
