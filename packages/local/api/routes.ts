import type { IncomingHttpHeaders } from 'node:http';
import { JSON_TYPES } from './aws-json';
import { RequestError } from './errors';
import type { RequestHead, Route, ServiceRoute, WrapBlockingRequest } from './exchange';
import { signedServiceOf, unknownServiceOf } from './unknown-service';

/**
 * Finds the route of a request by what its head says.
 *
 * @throws RequestError for a request that no service answers
 */
export type FindRoute = (head: RequestHead) => Route;

/** Finds routes among those of a stack's services. */
export function routeFinder(
  routes: readonly ServiceRoute[],
  wrapBlockingRequest: WrapBlockingRequest,
): FindRoute {
  const services = routes.map(({ service }) => service);

  return head => {
    const { method, path, headers, target } = head;
    const signedFor = signedServiceOf(head);
    // Of any content type: no page can make a browser sign without asking the endpoint first.
    const signed = routes.find(
      ({ service, requests }) => 'signed' in requests && service.signingName === signedFor,
    );
    if (signed) return signed;
    const posted = method === 'POST' ? routes.find(({ requests }) => isPostedTo(requests, path)) : undefined;
    if (posted) {
      const message = unwantedType(headers, posted);
      if (message !== undefined) throw new RequestError('UnsupportedMediaTypeException', message);
      return posted;
    }
    const route = routes.find(({ service, requests }) => {
      if ('form' in requests) return service.signingName === signedFor;
      return 'target' in requests && requests.target === target.service;
    });
    const unknown = route ? undefined : unknownServiceOf(head, services);
    if (unknown) throw unknown;
    if (method !== 'POST' || path !== '/') {
      throw new RequestError(
        'UnknownOperationException',
        `${method} ${path} is not an operation of this endpoint`,
      );
    }
    const message = unwantedType(headers, route);
    if (message !== undefined) throw new RequestError('SerializationException', message);
    if (!route) throw unknownTarget(target.service, routes);
    return route.blockingOperations?.has(target.operation)
      ? blockingRoute(route, wrapBlockingRequest)
      : route;
  };
}

function isPostedTo(requests: ServiceRoute['requests'], path: string): boolean {
  return 'path' in requests && requests.path.test(path);
}

/**
 * Why a request's content type is rejected, or undefined where it is not.
 *
 * SDKs do not always name a type. A page cannot make a browser send the headers that stand for it then without asking
 * the endpoint first, which no answer here allows; with a form's type, or with none, it could.
 */
function unwantedType(headers: IncomingHttpHeaders, route: ServiceRoute | undefined): string | undefined {
  const types = route?.contentTypes ?? JSON_TYPES;
  const given = headers['content-type'];
  if (given === undefined) {
    if (headers['x-amz-target'] !== undefined || headers.authorization !== undefined) return undefined;
    return `The request has no content type; send ${types[0]}`;
  }
  const type = given.split(';')[0]?.trim().toLowerCase() ?? '';
  return types.includes(type) ? undefined : `The content type '${given}' is not supported; send ${types[0]}`;
}

function unknownTarget(service: string, routes: readonly ServiceRoute[]): RequestError {
  const known = routes.flatMap(({ requests }) => ('target' in requests ? [requests.target] : []));
  const named = service === '' ? 'no service' : `'${service}'`;
  const message = `x-amz-target names ${named}; this endpoint answers for ${known.join(', ')}`;
  return new RequestError('UnknownOperationException', message);
}

function blockingRoute({ bodyBytesMax, handle }: Route, wrapBlockingRequest: WrapBlockingRequest): Route {
  return {
    bodyBytesMax,
    handle(request) {
      const header = request.headers['x-amzn-trace-id'];
      return wrapBlockingRequest(typeof header === 'string' ? header : undefined, () => handle(request));
    },
  };
}
