import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { usage } from '../program/rejection';
import { type Document, readDocument } from './read-document';
import { newAssemblyDirectory } from './synthesize';

/** A template that is to run on this machine. */
export interface TemplateRun {
  /** The file, in JSON or YAML. */
  readonly template: string;
  /** Values of its parameters, each `NAME=VALUE`. */
  readonly parameters: readonly string[];
  /** The file whose `handler` is the business step; undefined: a stand-in. */
  readonly step: string | undefined;
}

/** The parameter of a template of `onceflow template` that names the business step. */
const STEP_PARAMETER = 'StepFunctionArn';
const STEP_NAME = 'step';
/** Where the local runtime puts what says no account and no region. */
const STEP_ARN = `arn:aws:lambda:us-east-1:111111111111:function:${STEP_NAME}`;

/**
 * A new directory with a cloud assembly of a template that CDK has not written, with the values of its parameters. It
 * has a function for the step if the template takes one by its ARN and none is given. `isStandIn` is true if that
 * function only answers with its event.
 *
 * @throws Rejection for a file that cannot be read or is not a template, and for parameters that it does not have
 */
export async function templateAssembly(
  run: TemplateRun,
): Promise<{ readonly directory: string; readonly isStandIn: boolean }> {
  const document = readDocument(run.template);
  if (document['Resources'] === undefined)
    throw usage(
      `${run.template} is not a CloudFormation template, because it has no Resources. \`onceflow template\` writes one from ` +
        'a file with the props of a workflow',
    );
  const given = pairsOf('parameter', run.parameters);
  const parameters = (document['Parameters'] ?? {}) as Readonly<Record<string, Document>>;
  const unknown = Object.keys(given).find(name => !Object.hasOwn(parameters, name));
  if (unknown !== undefined)
    throw usage(
      `${run.template} has no parameter ${unknown}. Its parameters are ${Object.keys(parameters).join(', ') || 'none'}`,
    );
  const takesStep = Object.hasOwn(parameters, STEP_PARAMETER) && given[STEP_PARAMETER] === undefined;
  if (run.step !== undefined && !takesStep)
    throw usage(
      `--step sets the parameter ${STEP_PARAMETER}, which is already given, or missing in ${run.template}; leave one out`,
    );
  const values: Readonly<Record<string, string>> = {
    ...given,
    ...(takesStep && { [STEP_PARAMETER]: STEP_ARN }),
  };
  const template = {
    ...document,
    Parameters: Object.fromEntries(
      Object.entries(parameters).map(([name, parameter]) => {
        return [name, Object.hasOwn(values, name) ? { ...parameter, Default: values[name] } : parameter];
      }),
    ),
    Resources: {
      ...(document['Resources'] as object | undefined),
      ...(takesStep && { StepFunctionOnThisMachine: stepFunction(run.step) }),
    },
  };
  const directory = await newAssemblyDirectory();
  const files = {
    'manifest.json': manifestOf(path.parse(run.template).name),
    'template.json': template,
    'assets.json': assetsOf(run.step),
  };
  const written = Object.entries(files).map(([name, content]) => {
    return writeFile(path.join(directory, name), JSON.stringify(content));
  });
  await Promise.all(written);
  return { directory, isStandIn: takesStep && run.step === undefined };
}

/** The values of an option that is repeated with `NAME=VALUE`. @throws Rejection */
export function pairsOf(option: string, given: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    given.map(text => {
      const end = text.indexOf('=');
      if (end < 1) throw usage(`--${option} must be NAME=VALUE; got ${JSON.stringify(text)}`);
      return [text.slice(0, end), text.slice(end + 1)];
    }),
  );
}

function stepFunction(file: string | undefined): object {
  const common = { FunctionName: STEP_NAME, Timeout: 60 };
  const runtime = 'nodejs24.x';
  if (file === undefined) {
    const code = { ZipFile: 'exports.handler = async event => event;' };
    return functionResource({ ...common, Runtime: runtime, Handler: 'index.handler', Code: code });
  }
  const { name, ext } = path.parse(file);
  if (!['.js', '.cjs', '.mjs', '.py'].includes(ext) || !existsSync(file))
    throw usage(
      `--step must be an existing JavaScript or Python file, such as step.js or step.py; got ${file}`,
    );
  return functionResource({
    ...common,
    Runtime: ext === '.py' ? 'python3.13' : runtime,
    Handler: `${name}.handler`,
    Code: { S3Bucket: 'assets', S3Key: STEP_NAME },
  });
}

const functionResource = (Properties: object) => ({ Type: 'AWS::Lambda::Function', Properties });

function manifestOf(stackName: string): object {
  return {
    version: '36.0.0',
    artifacts: {
      Assets: { type: 'cdk:asset-manifest', properties: { file: 'assets.json' } },
      [stackName]: { type: 'aws:cloudformation:stack', properties: { templateFile: 'template.json' } },
    },
  };
}

function assetsOf(step: string | undefined): object {
  if (step === undefined) return { files: {} };
  const source = { path: path.dirname(path.resolve(step)) };
  return { files: { [STEP_NAME]: { source, destinations: { here: { objectKey: STEP_NAME } } } } };
}
