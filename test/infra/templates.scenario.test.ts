import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App, CloudFormationValidatePlugin, Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { FailureDestination, Recovery, Results, SuccessDestination } from '../../infra/index';
import { VARIANTS } from '../../proof/explore/variants/variants';
import { everySource } from '../support/every-source';
import { synthesizeFile } from '../support/synthesize';

const ROOT = path.join(__dirname, '../..');
/** Every app of the repository, by the file that `cdk synth` runs. */
const APPS = [
  'infra/app/main.ts',
  'docs/guide/first-stack/app.ts',
  ...readdirSync(path.join(ROOT, 'examples'))
    .map(example => `examples/${example}/app.ts`)
    .filter(file => existsSync(path.join(ROOT, file))),
  'proof/bench/sources/app.ts',
  'proof/explore/variants/app.ts',
  'proof/front-door/app.ts',
];

const directory = mkdtempSync(path.join(tmpdir(), 'templates-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** Synthesizes an app as `cdk synth` does, without bundling; returns the files of its templates. */
function templatesOf(app: string): readonly string[] {
  const outdir = path.join(directory, app.replaceAll('/', '-'));
  synthesizeFile(app, outdir);
  return readdirSync(outdir)
    .filter(file => file.endsWith('.template.json'))
    .map(file => path.join(outdir, file));
}

/** The templates of a workflow with every source, encrypted with a key, and with every option that adds a resource. */
function everyTemplate(): readonly string[] {
  const outdir = path.join(directory, 'every-source');
  const app = new App({ outdir, context: { 'aws:cdk:bundling-stacks': [] } });
  const [standard, express] = [new Stack(app, 'Standard'), new Stack(app, 'Express')];
  everySource(standard, {
    encryptionKey: new Key(standard, 'Key'),
    results: Results.inBucket(new Bucket(standard, 'Results')),
    onFailure: FailureDestination.queue(new Queue(standard, 'Failures')),
    onSuccess: SuccessDestination.eventBus(new EventBus(standard, 'Successes')),
    recovery: Recovery.automatic({ redeliverFailed: { maxAttempts: 5 } }),
    metrics: true,
  });
  everySource(express, { encryptionKey: new Key(express, 'Key'), type: 'EXPRESS' });
  app.synth();
  return ['Standard', 'Express'].map(name => path.join(outdir, `${name}.template.json`));
}

/**
 * What the validator that comes with the CDK finds in templates. It knows the schema of each resource type, the grammar
 * of policies, event patterns and schedules, and the states of a definition. It accepts nulls; in a suite, synthesis
 * does not (test/support/synthesis.ts).
 */
const validator = new CloudFormationValidatePlugin({ includeDefaultRules: false });

function problemsOf(templates: readonly string[]): readonly string[] {
  const { violations } = validator.validate({
    templatePaths: [...templates],
    stackTemplates: templates.map(templatePath => {
      return { templatePath, stackConstructPath: '', accountId: undefined, region: undefined };
    }),
    appConstruct: new App(),
  });
  return violations.map(({ ruleName, description, violatingResources }) => {
    const where = violatingResources.map(
      one => `${path.basename(one.templatePath ?? '')}/${one.resourceLogicalId}`,
    );
    return `${ruleName} ${description} (${where.join(', ')})`;
  });
}

function read(file: string) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

const templates = APPS.map(app => ({ app, files: templatesOf(app) }));
const files = [...templates.flatMap(one => one.files), ...everyTemplate()];

test('each app has templates, and the exploration one of each variant', () => {
  expect(templates.filter(one => one.files.length === 0)).toEqual([]);
  const variants = templates.find(({ app }) => app.startsWith('proof/explore'));
  expect(variants?.files).toHaveLength(VARIANTS.length);
});

test('every property of every template is as its schema says', () => {
  expect(problemsOf(files)).toEqual([]);
  // Reading the schemas of all resource types takes seconds, and on a busy machine half a minute.
}, 300_000);

describe('a template that a service would reject is found', () => {
  const [reference = ''] = templates[0]?.files ?? [];

  test.each<[title: string, type: string, properties: object, problem: RegExp]>([
    ['an unknown property', 'SQS::Queue', { Colour: 'red' }, /'Colour' was unexpected/],
    ['a value of another type', 'Lambda::Function', { Timeout: 'long' }, /'long' is not of type/],
    ['a value out of its range', 'SQS::Queue', { VisibilityTimeout: 43_201 }, /greater than the maximum/],
    ['a value that is not listed', 'StepFunctions::StateMachine', { StateMachineType: 'FAST' }, /'FAST'/],
    ['a text that is too long', 'Events::Rule', { Description: 'x'.repeat(513) }, /exceeds maximum 512/],
    ['a name with other characters', 'Lambda::Function', { FunctionName: 'a b' }, /does not match pattern/],
    ['a property that is missing', 'StepFunctions::StateMachine', { RoleArn: undefined }, /'RoleArn' is/],
    ['an empty list in an event pattern', 'Events::Rule', { EventPattern: { source: [] } }, /empty array/],
    [
      'an operator that event patterns do not have',
      'Events::Rule',
      { EventPattern: { source: [{ like: 'x' }] } },
      /'like'/,
    ],
    [
      'a policy with another effect',
      'IAM::Policy',
      { PolicyDocument: { Version: '2012-10-17', Statement: [{ Effect: 'Permit', Action: '*' }] } },
      /'Permit' is not one of/,
    ],
    [
      'a definition with a state that does not exist',
      'StepFunctions::StateMachine',
      { DefinitionString: '{"StartAt":"A","States":{"B":{"Type":"Succeed"}}}' },
      /StartAt 'A'/,
    ],
  ])('%s', (_, type, properties, problem) => {
    const damaged = read(reference);
    const resources: { Type: string; Properties: object }[] = Object.values(damaged.Resources);
    const resource = resources.find(one => one.Type === `AWS::${type}`);
    Object.assign(resource?.Properties ?? {}, properties);
    const file = path.join(directory, 'Damaged.template.json');
    writeFileSync(file, JSON.stringify(damaged));

    expect(problemsOf([file]).join()).toMatch(problem);
  });
});
