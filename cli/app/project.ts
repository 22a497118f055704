import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseJson, textOfFile } from '../input-file';
import { Rejection } from '../program/rejection';

/** A CDK app in a directory, as its `cdk.json` describes it. */
export interface Project {
  readonly directory: string;
  /** Commands for a shell, one after the other; the last one runs the app. */
  readonly commands: readonly string[];
  /** Feature flags and values for the app's constructs. */
  readonly context: Readonly<Record<string, unknown>>;
  /** Which files make the app, as glob patterns relative to the directory. */
  readonly watched: FilePatterns;
}

/** Files that match one of `include` and none of `exclude`. */
export interface FilePatterns {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

interface CdkJson {
  readonly app?: string;
  readonly build?: string;
  readonly output?: string;
  readonly context?: Readonly<Record<string, unknown>>;
  readonly watch?: { readonly include?: string | string[]; readonly exclude?: string | string[] };
}

/**
 * Reads `cdk.json` and `cdk.context.json` as the CDK CLI does. `app` is the command where it is given, and then there
 * need not be a `cdk.json`.
 *
 * The answer is a sentence where something is missing or cannot be read.
 */
export function readProject(directory: string, app?: string): Project | string {
  const config = readJson<CdkJson>(directory, 'cdk.json');
  if (typeof config === 'string') return config;
  const looked = readJson<CdkJson['context'] & object>(directory, 'cdk.context.json');
  if (typeof looked === 'string') return looked;
  const command = app ?? config?.app;
  if (typeof command !== 'string') {
    const what = config === undefined ? 'there is no cdk.json' : 'cdk.json has no `app`';
    return `${what} in ${directory}. Run this in the directory of a CDK app, or pass --app CMD or --assembly DIR`;
  }
  const { build, context, output = 'cdk.out', watch } = config ?? {};
  return {
    directory,
    commands: [...(build === undefined ? [] : [build]), command],
    context: { ...looked, ...context },
    watched: {
      include: [watch?.include ?? '**'].flat(),
      exclude: [...[watch?.exclude ?? []].flat(), output, 'cdk.context.json'],
    },
  };
}

/** The content of a JSON file, undefined where it is not there, a sentence where it cannot be read. */
function readJson<Content extends object>(directory: string, name: string): Content | undefined | string {
  const file = path.join(directory, name);
  if (!existsSync(file)) return undefined;
  try {
    return parseJson(textOfFile(file), file) as Content;
  } catch (error) {
    if (error instanceof Rejection) return error.message;
    throw error;
  }
}
