import { errorAnswer, JSON_1_0 } from '../../api/aws-json';
import { RequestError, wireErrorOf } from '../../api/errors';
import type { ApiAnswer, ServiceRoute } from '../../api/exchange';
import type { ServiceDirectory } from '../local-service';

/** The request to another service of the stack. */
export interface ServiceRequest {
  /** The service as its requests are signed, e.g. `states`. */
  readonly service: string;
  /** @default '/' */
  readonly path?: string;
  /** The operation, where requests name it in a header. @default - the path says it */
  readonly operation?: string;
  readonly body: Buffer;
  readonly requestId: string;
}

/** What a service of the stack answers to a request, rejections as they are on the wire. */
export async function callService(services: ServiceDirectory, request: ServiceRequest): Promise<ApiAnswer> {
  const { service, path = '/', operation = '', body, requestId } = request;
  const route = services.ownerOf(`arn:aws:${service}`)?.route;
  if (!route) return rejection('UnknownOperationException', `nothing answers here for ${service}`);
  if (body.length > route.bodyBytesMax) {
    return rejection('RequestEntityTooLargeException', 'Request size is too large');
  }
  try {
    return await route.handle({
      method: 'POST',
      path,
      query: new URLSearchParams(),
      headers: { 'content-type': route.contentTypes?.[0] ?? JSON_1_0 },
      target: { service: targetOf(route), operation },
      body,
      requestId,
    });
  } catch (error) {
    if (!isRejection(error)) throw error;
    return rejection(error.name, error.message);
  }
}

function targetOf({ requests }: ServiceRoute): string {
  return 'target' in requests ? requests.target : '';
}

function rejection(name: string, message: string): ApiAnswer {
  return errorAnswer(wireErrorOf(name, message), JSON_1_0);
}

/** A service's own rejections say so themselves, for their classes are the service's. */
function isRejection(error: unknown): error is Error {
  return (
    error instanceof RequestError ||
    (error instanceof Error && 'isRejection' in error && error.isRejection === true)
  );
}
