import { tooDeepAt } from '../json/depth';
import { type Json, jsonOr } from '../json/json';
import { escapeJavaScript, urlDecode, urlEncode } from './java-text';
import { atJsonPath } from './json-path';
import { BodyError, TemplateError } from './template-error';
import type { Usage } from './usage';
import { fromJson, type HostObject, textOf, type Value } from './value';

/** A request as mapping templates see it: of several values under one name the last, but headers all, by a comma. */
export interface RequestParameters {
  readonly path: Readonly<Record<string, string>>;
  readonly querystring: Readonly<Record<string, string>>;
  /** Named as the client has written them. */
  readonly header: Readonly<Record<string, string>>;
}

/** What a template asked for, of the answer that is made. */
export interface ResponseOverride {
  /** A number from 100 to 599; anything else counts as none. */
  readonly status?: number;
  readonly headers: ReadonlyMap<string, string>;
}

/** The variables of a mapping template, and what it has set in them. */
export interface MappingVariables {
  readonly variables: Readonly<Record<string, Value>>;
  responseOverride(): ResponseOverride;
}

export interface MappingGiven {
  readonly body: string;
  readonly parameters: RequestParameters;
  readonly context: Json;
  readonly stageVariables: Readonly<Record<string, string>>;
}

/** `$input`, `$util`, `$context` and `$stageVariables` of one evaluation. */
export function mappingVariables(given: MappingGiven, usage: Usage): MappingVariables {
  const context = fromJson(given.context);
  const override = new OverrideObject(usage);
  if (context instanceof Map) context.set('responseOverride', override);
  return {
    variables: {
      input: inputObject(given.body, given.parameters, usage),
      util: utilObject(usage),
      context,
      stageVariables: fromJson(given.stageVariables),
    },
    responseOverride: () => override.read(),
  };
}

function inputObject(given: string, parameters: RequestParameters, usage: Usage): HostObject {
  const body = given === '' ? EMPTY_BODY : given;
  const document = memoized(() => parsedBody(body));
  const at = (given: Value) => {
    const path = textOf(given, usage);
    usage.read(body.length);
    if (MANIFOLD.test(path)) usage.search();
    return atJsonPath(document(), path);
  };
  const method = (name: string, args: readonly Value[]): Value | undefined => {
    const [first = null] = args;
    switch (name) {
      case 'path': {
        const found = at(first);
        return found === undefined ? null : fromJson(found);
      }
      case 'json':
        return JSON.stringify(at(first) ?? '');
      case 'params':
        return args.length === 0
          ? fromJson({ ...parameters })
          : parameterOf(parameters, textOf(first, usage));
      default:
        return undefined;
    }
  };
  return { isHost: true, get: name => (name === 'body' ? body : null), call: method };
}

/** The path comes before the query, and the query before the headers: a client can put one in front of another. */
function parameterOf({ path, querystring, header }: RequestParameters, name: string): string {
  const places = [path, querystring, header];
  return places.find(place => Object.hasOwn(place, name))?.[name] ?? '';
}

/** Paths that come to a part of a document more than once, or look at each. */
const MANIFOLD = /\.\.|[*?]/;

/** What API Gateway gives a template for an empty body, whatever its content type. */
const EMPTY_BODY = '{}';

function parsedBody(body: string): Json {
  const value = tooDeepAt(body) === undefined ? jsonOr(body, undefined) : undefined;
  if (value === undefined) throw new BodyError('Could not parse request body into json');
  return value;
}

function memoized<Made>(make: () => Made): () => Made {
  let made: { readonly value: Made } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function utilObject(usage: Usage): HostObject {
  const call = (name: string, [given = null]: readonly Value[]): Value | undefined => {
    if (given === null) return null;
    const text = textOf(given, usage);
    usage.make(text.length);
    switch (name) {
      case 'escapeJavaScript':
        return escapeJavaScript(text);
      case 'parseJson':
        return parseJson(text);
      case 'urlEncode':
        return urlEncode(text);
      case 'urlDecode':
        return urlDecode(text) ?? reject(`$util.urlDecode is given what is not encoded: ${text}`);
      case 'base64Encode':
        return Buffer.from(text, 'utf8').toString('base64');
      case 'base64Decode':
        return Buffer.from(text, 'base64').toString('utf8');
      default:
        return undefined;
    }
  };
  return { isHost: true, call };
}

function parseJson(text: string): Value {
  if (tooDeepAt(text) !== undefined) reject('$util.parseJson is given JSON that is nested too deeply');
  const value = jsonOr(text, undefined);
  return value === undefined ? reject('$util.parseJson is given what is not JSON') : fromJson(value);
}

function reject(message: string): never {
  throw new TemplateError(message);
}

const STATUS_FROM = 100;
const STATUS_TO = 599;

/** `$context.responseOverride`: the status, and each header, can be set once. */
class OverrideObject implements HostObject {
  readonly isHost = true;
  readonly #usage: Usage;
  #status: Value | undefined;
  readonly #headers = new Map<string, string>();
  readonly #header: HostObject = {
    isHost: true,
    get: name => this.#headers.get(name) ?? null,
    set: (name, value) => {
      if (this.#headers.has(name)) reject(`the header ${name} of the response is set a second time`);
      this.#headers.set(name, textOf(value, this.#usage));
    },
  };

  constructor(usage: Usage) {
    this.#usage = usage;
  }

  get(name: string): Value {
    return name === 'header' ? this.#header : name === 'status' ? (this.#status ?? null) : null;
  }

  set(name: string, value: Value): void {
    if (name !== 'status') reject(`$context.responseOverride.${name} cannot be set`);
    if (this.#status !== undefined) reject('the status of the response is set a second time');
    this.#status = value;
  }

  read(): ResponseOverride {
    const status = this.#status;
    const counts =
      typeof status === 'number' && Number.isInteger(status) && status >= STATUS_FROM && status <= STATUS_TO;
    return { ...(counts && { status }), headers: this.#headers };
  }
}
