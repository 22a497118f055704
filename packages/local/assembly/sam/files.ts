import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { isJsonObject, type Json, type JsonObject } from '../../json/json';
import { definitionText, readDocument } from '../read-document';
import { objectOf, type SamFile } from './resource';

/** A value in which the documents that `AWS::Include` names stand in their places. */
export function withIncluded(value: Json, file: SamFile): Json {
  if (Array.isArray(value)) return value.map(item => withIncluded(item, file));
  if (!isJsonObject(value)) return value;
  const transform = objectOf(value['Fn::Transform']);
  const location = objectOf(transform['Parameters'])['Location'];
  if (transform['Name'] !== 'AWS::Include' || typeof location !== 'string') {
    const members = Object.entries(value).map(([name, member]) => [name, withIncluded(member, file)]);
    return Object.fromEntries(members);
  }
  const read = readDocument(found(file.directory, location));
  if (typeof read !== 'string') return withIncluded(read, file);
  file.problem('AWS::Include', `names ${location}, which ${read}`);
  return {};
}

/** The place of a function's code: a path on this machine, or what CloudFormation takes. */
export function codeOf(id: string, properties: JsonObject, { directory }: SamFile): JsonObject {
  const { InlineCode: inline, ImageUri: image, PackageType: type, CodeUri: code } = properties;
  if (inline !== undefined) return { ZipFile: inline };
  if (image !== undefined || type === 'Image') return { ImageUri: image ?? '' };
  if (isJsonObject(code) && 'Bucket' in code)
    return { S3Bucket: code['Bucket'] ?? '', S3Key: code['Key'] ?? '' };
  const built = path.join(directory, '.aws-sam', 'build', id);
  const written = typeof code === 'string' ? found(directory, code) : directory;
  return { LocalPath: existsSync(built) ? built : written };
}

/** The definition of a state machine that is in a file, which the property `from` names; otherwise as it is. */
export function definitionOf(id: string, properties: JsonObject, from: string, file: SamFile): JsonObject {
  const location = properties[from];
  if (typeof location === 'string') return definitionIn(id, found(file.directory, location), location, file);
  const { Definition, DefinitionString } = properties;
  if (Definition !== undefined) return { Definition };
  if (DefinitionString !== undefined) return { DefinitionString };
  return location === undefined ? {} : { DefinitionS3Location: location };
}

function definitionIn(id: string, name: string, location: string, file: SamFile): JsonObject {
  const document = readDocument(name);
  if (typeof document === 'string') {
    file.problem(id, `has its definition in ${location}, which ${document}`);
    return { DefinitionString: '' };
  }
  return { DefinitionString: definitionText(name, document) };
}

/** A nested stack: its template by the path on this machine, or where CloudFormation finds it. */
export function nestedProperties(properties: JsonObject, { directory }: SamFile): JsonObject {
  const { TemplateURL: url, Location: location = url, ...others } = properties;
  const isPath = typeof location === 'string' && !/^\w+:/.test(location);
  const { ApplicationId: application } = objectOf(location);
  const TemplateURL = isPath ? found(directory, location) : (application ?? location);
  return TemplateURL === undefined ? others : { ...others, TemplateURL };
}

/** The path of a file that a template names; on a file system that ignores case, it may be written in another one. */
function found(directory: string, written: string): string {
  const wanted = path.resolve(directory, written);
  if (existsSync(wanted)) return wanted;
  const parts = path.relative(directory, wanted).split(path.sep);
  return parts.reduce((at, part) => {
    const names = existsSync(at) ? readdirSync(at) : [];
    const same =
      names.find(name => name === part) ?? names.find(name => name.toLowerCase() === part.toLowerCase());
    return path.join(at, same ?? part);
  }, directory);
}
