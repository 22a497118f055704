import path from 'node:path';
import { isJsonObject, type Json, type JsonObject } from '../json/json';
import type { Problem } from './assembly';
import { type AssetTable, readAssetManifest } from './assets';
import { readJsonFile } from './json-file';
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
  /** As synthesized; `undefined` where the deployment decides. */
  readonly account: string | undefined;
  readonly region: string | undefined;
  /** Artifact ids of what must be deployed before it. */
  readonly dependencies: readonly string[];
  readonly assets: AssetTable;
}

/** A directory with a manifest: the assembly itself, or one of its stages. */
interface Place {
  readonly root: string;
  readonly directory: string;
  readonly problems: Problem[];
}

/** The stacks of a cloud assembly, those of its stages included, in the manifest's order. */
export function readManifest(directory: string, problems: Problem[]): StackArtifact[] {
  return readPlace({ root: directory, directory, problems });
}

/** A path as messages show it. */
export function shownPath(root: string, file: string): string {
  return path.relative(root, file) || file;
}

function readPlace(place: Place): StackArtifact[] {
  const file = path.join(place.directory, 'manifest.json');
  const where = place.directory === place.root ? file : shownPath(place.root, file);
  const manifest = readJsonFile(file, where, place.problems);
  if (manifest === undefined) return [];
  const artifacts = member(manifest, 'artifacts');
  if (!isJsonObject(artifacts)) {
    place.problems.push({ where, message: 'has no `artifacts`; give the directory that `cdk synth` writes' });
    return [];
  }
  const assets = readAssets(artifacts, place);
  return Object.entries(artifacts).flatMap(([id, artifact]) => {
    const type = member(artifact, 'type');
    if (type === 'cdk:cloud-assembly') return readStage(artifact, place);
    return type === 'aws:cloudformation:stack' ? readStack(id, artifact, place, assets) : [];
  });
}

function readStage(artifact: Json, place: Place): StackArtifact[] {
  const name = property(artifact, 'directoryName');
  if (name === undefined) return [];
  return readPlace({ ...place, directory: path.join(place.directory, name) });
}

function readStack(id: string, artifact: Json, place: Place, assets: AssetTable): StackArtifact[] {
  const templateFile = property(artifact, 'templateFile');
  if (templateFile === undefined) {
    const where = shownPath(place.root, path.join(place.directory, 'manifest.json'));
    place.problems.push({ where, message: `stack \`${id}\` has no template file; run \`cdk synth\` again` });
    return [];
  }
  const displayName = member(artifact, 'displayName');
  const dependencies = member(artifact, 'dependencies');
  const names = Array.isArray(dependencies) ? dependencies.filter(name => typeof name === 'string') : [];
  return [
    {
      artifactId: qualified(place, id),
      name: property(artifact, 'stackName') ?? id,
      displayName: typeof displayName === 'string' ? displayName : id,
      directory: place.directory,
      templateFile: path.join(place.directory, templateFile),
      ...environment(artifact),
      dependencies: names.map(name => qualified(place, name)),
      assets,
    },
  ];
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
function readAssets(artifacts: JsonObject, place: Place): AssetTable {
  const tables = Object.values(artifacts).flatMap(artifact => {
    const name = member(artifact, 'type') === 'cdk:asset-manifest' ? property(artifact, 'file') : undefined;
    if (name === undefined) return [];
    const file = path.join(place.directory, name);
    const manifest = readJsonFile(file, shownPath(place.root, file), place.problems);
    return manifest ? [...readAssetManifest(manifest, place.directory)] : [];
  });
  return new Map(tables);
}

function qualified(place: Place, id: string): string {
  const stage = path.relative(place.root, place.directory);
  return stage === '' ? id : `${stage}/${id}`;
}

function property(artifact: Json, name: string): string | undefined {
  const value = member(member(artifact, 'properties'), name);
  return typeof value === 'string' ? value : undefined;
}
