import { errorAnswer, JSON_1_1, jsonAnswer, parseBody } from '../../api/aws-json';
import { RequestError, wireErrorOf } from '../../api/errors';
import type { ServiceRoute } from '../../api/exchange';
import type { EventBuses } from './buses';
import { readPutEvents } from './put-events-request';

/** Above what the service takes for the entries themselves (1 MB), also escaped, so that its own words reject them. */
const BODY_BYTES_MAX = 8 * 1_048_576;

/** EventBridge: `x-amz-target: AWSEvents.PutEvents`. Buses and rules come from the assembly, not by request. */
export function eventsRoute(eventBuses: EventBuses): ServiceRoute {
  return {
    service: { title: 'EventBridge', signingName: 'events' },
    requests: { target: 'AWSEvents' },
    bodyBytesMax: BODY_BYTES_MAX,
    async handle({ target, body }) {
      if (target.operation !== 'PutEvents') {
        const message = `The local EventBridge has no operation '${target.operation}'`;
        throw new RequestError('UnknownOperationException', message);
      }
      const read = readPutEvents(parseBody(body));
      if (read.kind === 'rejected') return errorAnswer(wireErrorOf(read.error, read.message), JSON_1_1);
      return jsonAnswer(await eventBuses.putEvents(read.entries), JSON_1_1);
    },
  };
}
