import { LocalError } from '../../local-error';
import type { LocalService, ServiceDefinition } from '../local-service';
import { API_GATEWAY_RESOURCE_TYPES } from './cloudformation';
import { methodNames, type RestApi, restApisOf } from './rest-api';
import { type RequestCounts, serveRestApis } from './server';

/** A stage of a REST API that is served. */
export interface ServedStage {
  /** The name of the API. */
  readonly name: string;
  readonly id: string;
  readonly stage: string;
  /** Ends with a slash, e.g. `http://127.0.0.1:8085/a1b2c3d4e5/prod/`. */
  readonly url: string;
  /** The methods that are run, e.g. `POST /payments`. */
  readonly methods: readonly string[];
}

/** The API Gateway of a stack. */
export interface ApiGatewayService extends LocalService {
  readonly stages: readonly ServedStage[];
  readonly requests: RequestCounts;
}

/** API Gateway: REST APIs over HTTP, on a port of their own that is open where an assembly has some. */
export const API_GATEWAY: ServiceDefinition<ApiGatewayService> = {
  resourceTypes: API_GATEWAY_RESOURCE_TYPES,
  async open({ environment, resources, clock, ids, activity, http, services, log }) {
    const apis = restApisOf(resources);
    const requests = { received: 0, answered: 0 };
    if (apis.size === 0) return { stages: [], requests, integrations: new Map(), close: () => undefined };
    let started = (): void => undefined;
    const server = await serveRestApis({
      ...http,
      requests,
      ready: new Promise(resolve => {
        started = resolve;
      }),
      apis,
      environment,
      services,
      clock,
      activity,
      newRequestId: ids.fork('http').uuid,
      report: problem => log('API Gateway', `${problem}\n`),
    }).catch(error => {
      throw unusable(error, http.port);
    });
    const origin = `http://127.0.0.1:${server.port}`;
    return {
      integrations: new Map(),
      requests,
      stages: [...apis.values()].flatMap(api => stagesOf(api, origin)),
      withLocalUrls: text =>
        text.replace(URL_ON_AWS, (url, id: string) => (apis.has(id) ? `${origin}/${id}` : url)),
      start: () => started(),
      close: server.close,
    };
  },
};

const URL_ON_AWS = /https:\/\/([a-z0-9]{10})\.execute-api\.[\w-]+\.amazonaws\.com(?:\.cn)?/g;

function stagesOf(api: RestApi, origin: string): readonly ServedStage[] {
  const { id, name } = api.spec;
  const methods = methodNames(api);
  return [...api.stages.keys()].map(stage => {
    return { name, id, stage, url: `${origin}/${id}/${stage}/`, methods };
  });
}

function unusable(error: unknown, port: number): unknown {
  const { code } = (error ?? {}) as { readonly code?: string };
  if (code !== 'EADDRINUSE' && code !== 'EACCES') return error;
  const message = `port ${port} of 127.0.0.1, for the REST APIs, is in use or may not be used; choose another, or 0`;
  return new LocalError('PortUnavailable', [message]);
}
