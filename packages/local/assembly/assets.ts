import { statSync } from 'node:fs';
import path from 'node:path';
import { isJsonObject, type JsonObject } from '../json/json';
import { member } from './template';

/** Where the files that templates name by S3 object key lie on disk (absolute paths). */
export type AssetTable = ReadonlyMap<string, string>;

/** An asset on disk, or what is wrong with it, as the end of a sentence about the resource that names it. */
export type AssetLookup =
  | { readonly kind: 'directory' | 'file'; readonly path: string }
  | { readonly kind: 'missing'; readonly message: string };

/**
 * The object keys of one assets manifest, each with the source it is uploaded from.
 *
 * The bucket is ignored: CDK derives keys from the content, so one key means one content in every bucket.
 */
export function readAssetManifest(manifest: JsonObject, directory: string): AssetTable {
  const table = new Map<string, string>();
  const files = member(manifest, 'files');
  for (const file of isJsonObject(files) ? Object.values(files) : []) {
    const source = member(member(file, 'source'), 'path');
    const destinations = member(file, 'destinations');
    if (typeof source !== 'string' || !isJsonObject(destinations)) continue;
    for (const destination of Object.values(destinations)) {
      const key = member(destination, 'objectKey');
      if (typeof key === 'string') table.set(key, path.resolve(directory, source));
    }
  }
  return table;
}

/** The asset behind an object key. */
export function findAsset(assets: AssetTable, key: string): AssetLookup {
  const file = assets.get(key);
  if (file === undefined) {
    const what = `names the object \`${key}\`, which no assets manifest of this assembly lists`;
    return { kind: 'missing', message: `${what}; run \`cdk synth\`` };
  }
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) {
    const message = `needs the asset ${path.basename(file)}, which is not in the assembly; run \`cdk synth\``;
    return { kind: 'missing', message };
  }
  return { kind: stats.isDirectory() ? 'directory' : 'file', path: file };
}
