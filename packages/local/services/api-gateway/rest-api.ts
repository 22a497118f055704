import type { DeployedResources } from '../../assembly/read-resources';
import {
  AUTHORIZER,
  DEPLOYMENT,
  GATEWAY_RESPONSE,
  type GatewayResponseSpec,
  METHOD,
  type PathSpec,
  RESOURCE,
  REST_API,
  type RestApiSpec,
  STAGE,
  type StageSpec,
} from './cloudformation';
import type { AuthorizerSpec } from './read-authorizer';
import type { MethodSpec } from './read-method';

/** A REST API with all that belongs to it. */
export interface RestApi {
  readonly spec: RestApiSpec;
  readonly stages: ReadonlyMap<string, StageSpec>;
  /** By type. */
  readonly gatewayResponses: ReadonlyMap<string, GatewayResponseSpec>;
  /** By id. */
  readonly authorizers: ReadonlyMap<string, AuthorizerSpec>;
  readonly root: PathNode;
}

/** A place in the tree of an API's paths. */
interface PathNode {
  readonly resourceId: string;
  /** With its variables, e.g. `/payments/{id}`. */
  readonly resourcePath: string;
  readonly part: string;
  readonly methods: ReadonlyMap<string, MethodSpec>;
  readonly children: readonly PathNode[];
}

/** The method that a request is for. */
export interface MethodMatch {
  readonly method: MethodSpec;
  readonly resourceId: string;
  readonly resourcePath: string;
  readonly pathParameters: Readonly<Record<string, string>>;
}

/** The REST APIs of an assembly, by their ids. */
export function restApisOf(resources: DeployedResources): ReadonlyMap<string, RestApi> {
  const paths = resources.of(RESOURCE);
  const methods = resources.of(METHOD);
  const stages = [...resources.of(DEPLOYMENT).filter(({ name }) => name !== ''), ...resources.of(STAGE)];
  const apis = resources.of(REST_API).map(spec => {
    const isOwn = ({ apiId }: { readonly apiId: string }) => apiId === spec.id;
    const own = { paths: paths.filter(isOwn), methods: methods.filter(isOwn) };
    return {
      spec,
      stages: new Map(stages.filter(isOwn).map(stage => [stage.name, stage])),
      gatewayResponses: new Map(
        resources
          .of(GATEWAY_RESPONSE)
          .filter(isOwn)
          .map(one => [one.type, one]),
      ),
      authorizers: new Map(resources.of(AUTHORIZER).map(one => [one.id, one])),
      root: nodeOf({ id: spec.rootId, part: '' }, '', own),
    };
  });
  return new Map(apis.map(api => [api.spec.id, api]));
}

function nodeOf(
  { id, part }: Pick<PathSpec, 'id' | 'part'>,
  parent: string,
  own: { readonly paths: readonly PathSpec[]; readonly methods: readonly MethodSpec[] },
): PathNode {
  const path = part === '' ? '' : `${parent}/${part}`;
  const methods = own.methods.filter(({ pathId }) => pathId === id);
  const children = own.paths.filter(({ parentId }) => parentId === id);
  return {
    resourceId: id,
    resourcePath: path === '' ? '/' : path,
    part,
    methods: new Map(methods.map(method => [method.httpMethod, method])),
    children: children.map(child => nodeOf(child, path, own)),
  };
}

/** The methods of an API, each with what it is listed as, e.g. `POST /payments`. */
export function namedMethodsOf(api: RestApi): readonly (readonly [name: string, method: MethodSpec])[] {
  const namedIn = ({
    resourcePath,
    methods,
    children,
  }: PathNode): readonly (readonly [string, MethodSpec])[] => [
    ...[...methods].map(([verb, method]) => [`${verb} ${resourcePath}`, method] as const),
    ...children.flatMap(namedIn),
  ];
  return namedIn(api.root);
}

/** The method for a path, given without its stage; undefined where there is none. */
export function findMethod(api: RestApi, httpMethod: string, path: string): MethodMatch | undefined {
  const segments = path.replace(/^\/|\/$/g, '').split('/');
  const found = findNode(api.root, path === '/' || path === '' ? [] : segments.map(decoded));
  const method = found?.node.methods.get(httpMethod) ?? found?.node.methods.get('ANY');
  if (!found || !method) return undefined;
  const { resourceId, resourcePath } = found.node;
  return { method, resourceId, resourcePath, pathParameters: found.pathParameters };
}

interface Found {
  readonly node: PathNode;
  readonly pathParameters: Readonly<Record<string, string>>;
}

/** A segment as it is written goes before a variable, and that before a variable for all that follows. */
function findNode(node: PathNode, [segment, ...rest]: readonly string[]): Found | undefined {
  if (segment === undefined) return { node, pathParameters: {} };
  const exact = node.children.find(({ part }) => part === segment);
  const inExact = exact && findNode(exact, rest);
  if (inExact) return inExact;
  for (const child of node.children) {
    const name = /^\{([^+}]+)\}$/.exec(child.part)?.[1];
    const found = name === undefined || segment === '' ? undefined : findNode(child, rest);
    if (found && name !== undefined) {
      return { ...found, pathParameters: { [name]: segment, ...found.pathParameters } };
    }
  }
  const greedy = node.children.find(({ part }) => /^\{[^}]+\+\}$/.test(part));
  if (!greedy) return undefined;
  return { node: greedy, pathParameters: { [greedy.part.slice(1, -2)]: [segment, ...rest].join('/') } };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
