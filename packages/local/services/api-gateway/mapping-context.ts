import type { Json } from '../../json/json';
import { escapeJavaScript, urlDecode, urlEncode } from './java-text';
import { atJsonPath } from './json-path';
import { fromJson, type HostObject, requireLength, TemplateError, textOf, type Value } from './vtl/value';

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

/** A body that had to be JSON for a template, and is none. */
export class BodyError extends TemplateError {
  override readonly name = 'BodyError';
}

/** The variables of a mapping template, and what it has set in them. */
export interface MappingVariables {
  readonly variables: Readonly<Record<string, Value>>;
  responseOverride(): ResponseOverride;
}

/** `$input`, `$util`, `$context` and `$stageVariables` of one evaluation. */
export function mappingVariables(given: {
  readonly body: string;
  readonly parameters: RequestParameters;
  readonly context: Json;
  readonly stageVariables: Readonly<Record<string, string>>;
}): MappingVariables {
  const context = fromJson(given.context);
  const override = new OverrideObject();
  if (context instanceof Map) context.set('responseOverride', override);
  return {
    variables: {
      input: inputObject(given.body, given.parameters),
      util: UTIL,
      context,
      stageVariables: fromJson(given.stageVariables),
    },
    responseOverride: () => override.read(),
  };
}

function inputObject(given: string, parameters: RequestParameters): HostObject {
  const body = given === '' ? EMPTY_BODY : given;
  const document = memoized(() => parsedBody(body));
  const method = (name: string, args: readonly Value[]): Value | undefined => {
    const [first = null] = args;
    switch (name) {
      case 'path': {
        const found = atJsonPath(document(), textOf(first));
        return found === undefined ? null : fromJson(found);
      }
      case 'json':
        return JSON.stringify(atJsonPath(document(), textOf(first)) ?? '');
      case 'params':
        return args.length === 0 ? fromJson({ ...parameters }) : parameterOf(parameters, textOf(first));
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

/** What API Gateway gives a template for an empty body, whatever its content type. */
const EMPTY_BODY = '{}';

function parsedBody(body: string): Json {
  try {
    return JSON.parse(body) as Json;
  } catch {
    throw new BodyError('Could not parse request body into json');
  }
}

function memoized<Made>(make: () => Made): () => Made {
  let made: { readonly value: Made } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

const UTIL: HostObject = {
  isHost: true,
  call(name, [given = null]) {
    if (given === null) return null;
    const text = textOf(given);
    requireLength(text.length);
    switch (name) {
      case 'escapeJavaScript':
        return escapeJavaScript(text);
      case 'parseJson':
        return parseJson(text);
      case 'urlEncode':
        return urlEncode(text);
      case 'urlDecode':
        return urlDecode(text) ?? refuse(`$util.urlDecode is given what is not encoded: ${text}`);
      case 'base64Encode':
        return Buffer.from(text, 'utf8').toString('base64');
      case 'base64Decode':
        return Buffer.from(text, 'base64').toString('utf8');
      default:
        return undefined;
    }
  },
};

function parseJson(text: string): Value {
  try {
    return fromJson(JSON.parse(text) as Json);
  } catch {
    return refuse('$util.parseJson is given what is no JSON');
  }
}

function refuse(message: string): never {
  throw new TemplateError(message);
}

const STATUS_FROM = 100;
const STATUS_TO = 599;

/** `$context.responseOverride`: the status, and each header, can be set once. */
class OverrideObject implements HostObject {
  readonly isHost = true;
  #status: Value | undefined;
  readonly #headers = new Map<string, string>();
  readonly #header: HostObject = {
    isHost: true,
    get: name => this.#headers.get(name) ?? null,
    set: (name, value) => {
      if (this.#headers.has(name)) refuse(`the header ${name} of the response is set a second time`);
      this.#headers.set(name, textOf(value));
    },
  };

  get(name: string): Value {
    return name === 'header' ? this.#header : name === 'status' ? (this.#status ?? null) : null;
  }

  set(name: string, value: Value): void {
    if (name !== 'status') refuse(`$context.responseOverride.${name} cannot be set`);
    if (this.#status !== undefined) refuse('the status of the response is set a second time');
    this.#status = value;
  }

  read(): ResponseOverride {
    const status = this.#status;
    const counts =
      typeof status === 'number' && Number.isInteger(status) && status >= STATUS_FROM && status <= STATUS_TO;
    return { ...(counts && { status }), headers: this.#headers };
  }
}
