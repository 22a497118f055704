import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { LoadOptions } from '../../assembly/load';
import { readArguments } from '../../command/arguments';
import { exploreCommand } from '../../command/explore';
import { run } from '../../command/run';
import { loadAssembly } from '../../load-assembly';
import { readMocks } from '../../mocks/read-mocks';
import { temporaryDirectory, writeAssembly } from '../assembly/assembly-directory';

export const directory = temporaryDirectory();

/** Resolves to the problem in words, or to an empty text. */
export type Attempt = () => string | Promise<string>;

export function problemsOf(sources: string | readonly string[], options: LoadOptions = {}): string {
  const loaded = loadAssembly(sources, options);
  if (loaded.kind === 'problems') return loaded.problems.map(({ message }) => message).join('\n');
  const { notRun, imported } = loaded.assembly;
  return [...notRun.map(({ reason = '' }) => reason), ...imported.map(({ message }) => message)].join('\n');
}

/** The problems of a template, in an assembly. */
export function template(content: object, options?: LoadOptions): Attempt {
  return () =>
    problemsOf(writeAssembly(path.join(directory, 'app'), { Main: { template: content } }), options);
}

/** The problems of a resource. */
export function resource(Type: string, Properties: object, more: object = {}): Attempt {
  return template({ Resources: { X: { Type: `AWS::${Type}`, Properties } }, ...more });
}

/** The problems of a queue that has this as its delay, a number of seconds. */
export const delay = (value: unknown, more: object = {}, options?: LoadOptions) =>
  template(
    { Resources: { X: { Type: 'AWS::SQS::Queue', Properties: { DelaySeconds: value } } }, ...more },
    options,
  );

/** The problems of a directory with these files: text as it is, anything else in JSON. */
export function files(content: Readonly<Record<string, unknown>>, source = ''): Attempt {
  return () => {
    const made = path.join(directory, 'files');
    rmSync(made, { recursive: true, force: true });
    mkdirSync(made);
    for (const [name, each] of Object.entries(content)) {
      writeFileSync(
        path.join(made, name),
        typeof each === 'string' || Buffer.isBuffer(each) ? each : JSON.stringify(each),
      );
    }
    return problemsOf(path.join(made, source));
  };
}

/** The same directory after `cdk synth`. */
export const synthesized: Attempt = () => {
  const outdir = path.join(directory, 'files');
  const app = new App({ outdir });
  new Queue(new Stack(app, 'Main'), 'Queue');
  app.synth();
  return problemsOf(outdir);
};

export const manifest = (artifacts: object) => ({ 'manifest.json': { version: '55.0.0', artifacts } });
export const stack = (templateFile: string) => ({
  Main: { type: 'aws:cloudformation:stack', properties: { templateFile } },
});
/** An assembly whose function has its code in this asset. */
export const withAsset = (source: string, key: string) => ({
  ...manifest({ ...stack('T.json'), Assets: { type: 'cdk:asset-manifest', properties: { file: 'A.json' } } }),
  'A.json': {
    files: { one: { source: { path: source }, destinations: { here: { objectKey: 'code.json' } } } },
  },
  'T.json': {
    Resources: {
      X: {
        Type: 'AWS::StepFunctions::StateMachine',
        Properties: { DefinitionS3Location: { Bucket: 'b', Key: key } },
      },
    },
  },
  'code.json': { StartAt: 'A', States: { A: { Type: 'Pass', End: true } } },
});

export const thrownBy =
  (act: () => unknown): Attempt =>
  () => {
    try {
      act();
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };
export const usage = (...given: readonly string[]) => thrownBy(() => readArguments(given));
export const mocks =
  (content: object): Attempt =>
  () => {
    const read = readMocks(content);
    return read.kind === 'problems' ? read.problems.join('\n') : '';
  };

export function fileWith(name: string, content: object): string {
  const file = path.join(directory, name);
  writeFileSync(file, JSON.stringify(content));
  return file;
}

/** How `onceflow-local run` fails, in words. */
export async function running(name: string, content: object, ...options: readonly string[]): Promise<string> {
  let printed = '';
  try {
    const code = await run(readArguments(['run', fileWith(name, content), ...options]), text => {
      printed += text;
    });
    return code === 0 ? '' : printed;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The same of `onceflow-local explore`. */
export function exploring(name: string, content: object, ...options: readonly string[]): string {
  let printed = '';
  const explored = thrownBy(() => {
    const code = exploreCommand([fileWith(name, content), ...options], text => {
      printed += text;
    });
    if (code !== 0) throw new Error(printed);
  });
  return String(explored());
}
