import type { LoopbackServer } from '../../api/loopback-server';
import { LocalError } from '../../local-error';
import type { LocalService, ServiceDefinition } from '../local-service';
import { API_GATEWAY_RESOURCE_TYPES } from './cloudformation';
import { startedMachineOf } from './read-method';
import { namedMethodsOf, type RestApi, restApisOf } from './rest-api';
import { type RequestCounts, serveRestApi } from './server';

/**
 * A stage of a REST API that is served.
 *
 * @example
 * const [api] = stack.restApis;
 * await fetch(`${api?.url}/payments`, { method: 'POST', body });
 */
export interface ServedStage {
  /** The name of the API. */
  readonly name: string;
  readonly id: string;
  readonly stage: string;
  /** Ends with a slash, e.g. `http://127.0.0.1:8085/prod/`. */
  readonly url: string;
  /** The methods that are run, e.g. `POST /payments`. */
  readonly methods: readonly string[];
  /** Those of them whose template names the state machine that they start, each with its ARN. */
  readonly starts: readonly { readonly method: string; readonly stateMachineArn: string }[];
}

/** The API Gateway of a stack. */
export interface ApiGatewayService extends LocalService {
  readonly stages: readonly ServedStage[];
  readonly requests: RequestCounts;
}

/** API Gateway: REST APIs over HTTP, each on a port of its own: the one that is asked for, and those that follow. */
export const API_GATEWAY: ServiceDefinition<ApiGatewayService> = {
  resourceTypes: API_GATEWAY_RESOURCE_TYPES,
  async open({ environment, resources, clock, ids, work, evaluator, http, services, log }) {
    const requests = { received: 0, answered: 0 };
    let started = (): void => undefined;
    const options = {
      requests,
      ready: new Promise<void>(resolve => {
        started = resolve;
      }),
      principal: http.principal,
      environment,
      services,
      clock,
      work,
      evaluator,
      newRequestId: ids.fork('http').uuid,
      report: (problem: string) => log('API Gateway', `${problem}\n`),
    };
    const opened: LoopbackServer[] = [];
    const close = async () => void (await Promise.all(opened.map(server => server.close())));
    const origins = new Map<string, string>();
    const apis = [...restApisOf(resources).values()];
    for (const [index, api] of apis.entries()) {
      const port = http.port === 0 ? 0 : http.port + index;
      const server = await serveRestApi({ ...options, api, port }).catch(async error => {
        await close();
        throw unusable(error, { port, name: api.spec.name });
      });
      opened.push(server);
      origins.set(api.spec.id, `http://127.0.0.1:${server.port}`);
    }
    return {
      integrations: new Map(),
      requests,
      stages: apis.flatMap(api => stagesOf(api, origins.get(api.spec.id) ?? '')),
      withLocalUrls: text => text.replace(URL_ON_AWS, (url, id: string) => origins.get(id) ?? url),
      start: () => started(),
      close,
    };
  },
};

const URL_ON_AWS = /https:\/\/([a-z0-9]{10})\.execute-api\.[\w-]+\.amazonaws\.com(?:\.cn)?/g;

function stagesOf(api: RestApi, origin: string): readonly ServedStage[] {
  const { id, name } = api.spec;
  const named = namedMethodsOf(api);
  const methods = named.map(([method]) => method);
  const starts = named.flatMap(([method, spec]) => {
    const stateMachineArn = startedMachineOf(spec);
    return stateMachineArn === undefined ? [] : [{ method, stateMachineArn }];
  });
  return [...api.stages.keys()].map(stage => {
    return { name, id, stage, url: `${origin}/${stage}/`, methods, starts };
  });
}

function unusable(error: unknown, { port, name }: { readonly port: number; readonly name: string }): unknown {
  const { code } = (error ?? {}) as { readonly code?: string };
  if (code === 'ERR_SOCKET_BAD_PORT') {
    const problem = `the REST API ${name} would be on port ${port}; ports are whole numbers from 0 to 65535`;
    return new LocalError('PortUnavailable', [problem]);
  }
  if (code !== 'EADDRINUSE' && code !== 'EACCES') return error;
  const which = `port ${port} of 127.0.0.1, for the REST API ${name},`;
  const message = `${which} is in use, or you are not allowed to use it; choose another port, or 0`;
  return new LocalError('PortUnavailable', [message]);
}
