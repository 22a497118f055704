import path from 'node:path';
import { isJsonObject, type Json, type JsonObject } from '../json/json';
import { type AssetTable, readAssetManifest } from './assets';
import { readJsonFile } from './json-file';
import type { Problem } from './problem';
import { member } from './template';

/** A stack as the manifest lists it. */
export interface StackArtifact {
  /** Unique in the whole assembly, stages included. */
  readonly artifactId: string;
  readonly name: string;
  /** The path of constructs (`Stage/Stack`), by which the CDK CLI calls it. */
  readonly displayName: string;
  readonly directory: string;
  readonly templateFile: string;
  /** The template itself, if it is not what the file has. */
  readonly document?: JsonObject;
  /** As synthesized; `undefined` where the deployment decides. */
  readonly account: string | undefined;
  readonly region: string | undefined;
  /** Artifact ids of what must be deployed before it. */
  readonly dependencies: readonly string[];
  readonly assets: AssetTable;
  /** The paths of the constructs that resources come from, by logical id, e.g. `Shop/Orders/Resource`. */
  readonly constructPaths: ReadonlyMap<string, readonly string[]>;
}

/** A directory with a manifest: the assembly itself, or one of its stages. */
interface AssemblyDirectory {
  readonly root: string;
  readonly directory: string;
  readonly problems: Problem[];
}

/** The stacks of a cloud assembly, those of its stages included, in the manifest's order. */
export function readManifest(directory: string, problems: Problem[]): StackArtifact[] {
  return readDirectory({ root: directory, directory, problems });
}

/** A path as messages show it. */
export function shownPath(root: string, file: string): string {
  return path.relative(root, file) || file;
}

/**
 * The stacks to load: those named, and what they depend on, as `cdk deploy` takes them. All of them without
 * names.
 *
 * A stack may be named by its stack name, its display name (`Stage/Stack`) or its artifact id.
 */
export function selectStacks(
  artifacts: readonly StackArtifact[],
  names: readonly string[] | undefined,
  problems: Problem[],
): readonly StackArtifact[] {
  if (names === undefined) return artifacts;
  const selected = new Set<StackArtifact>();
  const add = (artifact: StackArtifact): void => {
    if (selected.has(artifact)) return;
    selected.add(artifact);
    artifacts.filter(other => artifact.dependencies.includes(other.artifactId)).forEach(add);
  };
  for (const name of names) {
    const found = artifacts.filter(artifact => isCalled(artifact, name));
    found.forEach(add);
    if (found.length === 0) {
      const known = artifacts.map(({ displayName }) => displayName).join(', ');
      problems.push({
        where: 'manifest.json',
        message: `has no stack \`${name}\`; it has ${known || 'none'}`,
      });
    }
  }
  return artifacts.filter(artifact => selected.has(artifact));
}

function readDirectory(assembly: AssemblyDirectory): StackArtifact[] {
  const file = path.join(assembly.directory, 'manifest.json');
  const where = assembly.directory === assembly.root ? file : shownPath(assembly.root, file);
  const manifest = readJsonFile(file, where, assembly.problems);
  if (manifest === undefined) return [];
  const artifacts = member(manifest, 'artifacts');
  if (!isJsonObject(artifacts)) {
    assembly.problems.push({
      where,
      message: 'has no `artifacts`; give the directory that `cdk synth` writes',
    });
    return [];
  }
  const assets = readAssets(artifacts, assembly);
  return Object.entries(artifacts).flatMap(([id, artifact]) => {
    const type = member(artifact, 'type');
    if (type === 'cdk:cloud-assembly') return readStage(artifact, assembly);
    return type === 'aws:cloudformation:stack' ? readStack(id, artifact, assembly, assets) : [];
  });
}

function readStage(artifact: Json, assembly: AssemblyDirectory): StackArtifact[] {
  const name = property(artifact, 'directoryName');
  if (name === undefined) return [];
  return readDirectory({ ...assembly, directory: path.join(assembly.directory, name) });
}

function readStack(
  id: string,
  artifact: Json,
  assembly: AssemblyDirectory,
  assets: AssetTable,
): StackArtifact[] {
  const templateFile = property(artifact, 'templateFile');
  if (templateFile === undefined) {
    const where = shownPath(assembly.root, path.join(assembly.directory, 'manifest.json'));
    assembly.problems.push({
      where,
      message: `stack \`${id}\` has no template file; run \`cdk synth\` again`,
    });
    return [];
  }
  const displayName = member(artifact, 'displayName');
  const dependencies = member(artifact, 'dependencies');
  const names = Array.isArray(dependencies) ? dependencies.filter(name => typeof name === 'string') : [];
  return [
    {
      artifactId: qualified(assembly, id),
      name: property(artifact, 'stackName') ?? id,
      displayName: typeof displayName === 'string' ? displayName : id,
      directory: assembly.directory,
      templateFile: path.join(assembly.directory, templateFile),
      ...environment(artifact),
      dependencies: names.map(name => qualified(assembly, name)),
      assets,
      constructPaths: readConstructPaths(artifact, assembly),
    },
  ];
}

/** Which construct each resource comes from: the CDK writes it in the manifest or, newer ones, in a file beside it. */
function readConstructPaths(artifact: Json, assembly: AssemblyDirectory): StackArtifact['constructPaths'] {
  const name = property(artifact, 'additionalMetadataFile') ?? member(artifact, 'additionalMetadataFile');
  const file = typeof name === 'string' ? path.join(assembly.directory, name) : undefined;
  const beside = file && readJsonFile(file, shownPath(assembly.root, file), assembly.problems);
  const inline = member(artifact, 'metadata');
  const metadata = { ...(isJsonObject(inline) && inline), ...beside };
  const paths = new Map<string, readonly string[]>();
  for (const [constructPath, entries] of Object.entries(metadata)) {
    for (const entry of Array.isArray(entries) ? entries : []) {
      if (member(entry, 'type') !== 'aws:cdk:logicalId') continue;
      const id = String(member(entry, 'data'));
      paths.set(id, [...(paths.get(id) ?? []), constructPath.replace(/^\//, '')]);
    }
  }
  return paths;
}

/** `aws://account/region`; CDK writes `unknown-account` and `unknown-region` for what it leaves open. */
function environment(artifact: Json): Pick<StackArtifact, 'account' | 'region'> {
  const text = member(artifact, 'environment');
  const [, account, region] = /^aws:\/\/([^/]+)\/([^/]+)$/.exec(typeof text === 'string' ? text : '') ?? [];
  return {
    account: account === 'unknown-account' ? undefined : account,
    region: region === 'unknown-region' ? undefined : region,
  };
}

/** Object keys are hashes of content, so the manifests of one directory make one table. */
function readAssets(artifacts: JsonObject, assembly: AssemblyDirectory): AssetTable {
  const tables = Object.values(artifacts).flatMap(artifact => {
    const name = member(artifact, 'type') === 'cdk:asset-manifest' ? property(artifact, 'file') : undefined;
    if (name === undefined) return [];
    const file = path.join(assembly.directory, name);
    const manifest = readJsonFile(file, shownPath(assembly.root, file), assembly.problems);
    return manifest ? [...readAssetManifest(manifest, assembly.directory)] : [];
  });
  return new Map(tables);
}

function qualified(assembly: AssemblyDirectory, id: string): string {
  const stage = path.relative(assembly.root, assembly.directory);
  return stage === '' ? id : `${stage}/${id}`;
}

function property(artifact: Json, name: string): string | undefined {
  const value = member(member(artifact, 'properties'), name);
  return typeof value === 'string' ? value : undefined;
}

function isCalled({ name, displayName, artifactId }: StackArtifact, asked: string): boolean {
  return [name, displayName, artifactId].includes(asked);
}
