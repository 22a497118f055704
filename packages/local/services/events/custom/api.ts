import { cbor } from '@smithy/core/cbor';
import type { ApiAnswer, ServiceRoute } from '../../../api/exchange';
import type { CustomBuses } from './buses';
import { CustomBusError, type CustomPutEventsRequest } from './request';

const OPERATION = /^\/service\/AWSEventsV2\/operation\/(\w+)$/;
/** Above what the service takes of the entries themselves, so that its own words reject them. */
const BODY_BYTES_MAX = 4 * 1_048_576;
const NAMESPACE = 'com.amazonaws.eventbridgev2#';

/** Custom event buses: PutEvents by Smithy RPC v2 with CBOR. Buses and subscribers come from the assembly. */
export function customBusRoute(buses: CustomBuses): ServiceRoute {
  return {
    service: { title: 'EventBridge custom event bus', signingName: 'events' },
    requests: { path: OPERATION },
    contentTypes: ['application/cbor'],
    bodyBytesMax: BODY_BYTES_MAX,
    tooLarge: () => rejection(new CustomBusError('InvalidInputException', 'the request is too large')),
    async handle({ path, body }) {
      try {
        const [, operation = ''] = OPERATION.exec(path) ?? [];
        if (operation !== 'PutEvents') throw unknownOperation(operation);
        return answer(200, await buses.putEvents(read(body)));
      } catch (error) {
        if (error instanceof CustomBusError) return rejection(error);
        throw error;
      }
    },
  };
}

function read(body: Buffer): CustomPutEventsRequest {
  try {
    return cbor.deserialize(body);
  } catch {
    throw new CustomBusError('InvalidInputException', 'the body is not CBOR');
  }
}

function unknownOperation(operation: string): CustomBusError {
  const message = `The local custom event buses have no operation '${operation}', only PutEvents`;
  return new CustomBusError('UnknownOperationException', message);
}

function rejection({ name, message }: CustomBusError): ApiAnswer {
  const status = name === 'InvalidInputException' ? 400 : 404;
  return answer(status, { __type: `${NAMESPACE}${name}`, message });
}

function answer(status: number, content: object): ApiAnswer {
  return {
    status,
    headers: { 'content-type': 'application/cbor', 'smithy-protocol': 'rpc-v2-cbor' },
    body: Buffer.from(cbor.serialize(content)),
  };
}
