import { isJsonObject, type Json, type JsonObject } from '../../json/json';
import type { Service, ServiceCall, ServiceResult, ServiceTable } from '../../runtime/calls/service';
import type { EventEntry } from './event';
import { readPutEvents } from './put-events-request';

/**
 * The optimized integration `events:putEvents`, over the operation `putEvents` of event buses.
 *
 * Differs from the API in three ways: a `Detail` that is not a string is serialized, and the ARNs of the state machine
 * and of the execution are appended to `Resources`. One rejected entry fails the task with `EventBridge.FailedEntry`,
 * although the other entries have been published.
 */
export function eventsIntegrations(
  putEvents: (entries: readonly EventEntry[]) => Promise<JsonObject & { readonly FailedEntryCount: number }>,
): ServiceTable {
  const integration: Service = {
    async call(call) {
      const request = readPutEvents(asRequest(call));
      if (request.kind === 'rejected') return rejected(request.error, request.message);
      const response = await putEvents(request.entries);
      if (response.FailedEntryCount === 0) return { kind: 'succeeded', output: response };
      return { kind: 'failed', error: 'EventBridge.FailedEntry', cause: JSON.stringify(response) };
    },
  };
  return new Map([['events:putEvents', integration]]);
}

function asRequest({ arguments: given, executionArn }: ServiceCall): Json {
  const entries = isJsonObject(given) ? given['Entries'] : undefined;
  if (!isJsonObject(given) || !Array.isArray(entries)) return given;
  const origin = [...machineArn(executionArn), executionArn];
  return { ...given, Entries: entries.map(entry => (isJsonObject(entry) ? asEntry(entry, origin) : entry)) };
}

function asEntry(entry: JsonObject, origin: readonly string[]): JsonObject {
  const { Detail: detail, Resources: resources } = entry;
  const isText = detail === undefined || detail === null || typeof detail === 'string';
  const isList = resources === undefined || resources === null || Array.isArray(resources);
  return {
    ...entry,
    ...(isText ? {} : { Detail: JSON.stringify(detail) }),
    // A list of something else is left for the request check to reject.
    ...(isList ? { Resources: [...(resources ?? []), ...origin] } : {}),
  };
}

/** `…:execution:Machine:name` and `…:express:Machine:name:id` both belong to `…:stateMachine:Machine`. */
function machineArn(executionArn: string): readonly string[] {
  const match = /^(?<service>arn:[^:]*:states:[^:]*:[^:]*):(execution|express):(?<name>[^:]+):/.exec(
    executionArn,
  );
  return match?.groups ? [`${match.groups['service']}:stateMachine:${match.groups['name']}`] : [];
}

/** Errors of the whole call carry the service's one exception class of the SDK behind the integration. */
function rejected(code: string, message: string): ServiceResult {
  return {
    kind: 'failed',
    error: 'EventBridge.AmazonEventBridgeException',
    cause: `${message} (Service: AmazonEventBridge; Status Code: 400; Error Code: ${code}; Proxy: null)`,
  };
}
