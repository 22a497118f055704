import { isJsonObject, type Json, type JsonObject } from '../../json/json';
import type { Service, ServiceCall, ServiceResult, ServiceTable } from '../../runtime/service';
import type { MetricDatum } from '../local-service';
import { malformedArguments } from '../optimized-result';

/** Values that one request may put. */
const REQUEST_MAX = 1000;

/**
 * The integration `aws-sdk:cloudwatch:putMetricData`, with single values: `put` is called with each of them.
 *
 * An argument that is not known here fails the state rather than do nothing.
 */
export function cloudWatchIntegrations(
  put: (datum: MetricDatum) => void,
  { newRequestId, now }: { readonly newRequestId: () => string; readonly now: () => number },
): ServiceTable {
  const putMetricData: Service = {
    async call({ arguments: given }: ServiceCall): Promise<ServiceResult> {
      const fields = present(given);
      const fault = unknownIn(fields, ['Namespace', 'MetricData']);
      if (fault !== undefined) return malformedArguments(given, fault);
      const { Namespace: namespace, MetricData: entries } = fields;
      if (typeof namespace !== 'string' || !NAMESPACE.test(namespace)) {
        return refused('The parameter Namespace must be 1 to 255 characters of A-Z, a-z, 0-9 and .-_/#:', {
          requestId: newRequestId(),
        });
      }
      if (!Array.isArray(entries)) return malformedArguments(given, "The field 'MetricData' must be a list");
      if (entries.length > REQUEST_MAX) {
        return refused(`The collection MetricData must not have a size greater than ${REQUEST_MAX}.`, {
          requestId: newRequestId(),
        });
      }
      const read = entries.map(entry => datumOf(present(entry), namespace, now()));
      const wrong = read.find(one => typeof one === 'string');
      if (wrong !== undefined) return malformedArguments(given, wrong);
      for (const datum of read) if (typeof datum !== 'string') put(datum);
      return { kind: 'succeeded', output: {} };
    },
  };
  return new Map([['aws-sdk:cloudwatch:putMetricData', putMetricData]]);
}

/** No namespace of a service, which begins with AWS/. */
const NAMESPACE = /^(?!AWS\/)[\w.\-/#:]{1,255}$/;

/** The value, or what is wrong with it. */
function datumOf(entry: JsonObject, namespace: string, now: number): MetricDatum | string {
  const fault = unknownIn(entry, ['MetricName', 'Value', 'Unit', 'Dimensions', 'Timestamp']);
  if (fault !== undefined) return fault;
  const { MetricName: metricName, Value: value, Dimensions: dimensions = [], Timestamp: at } = entry;
  if (typeof metricName !== 'string') return "The field 'MetricName' is required but was missing";
  if (typeof value !== 'number') return "The field 'Value' must be a number";
  if (!Array.isArray(dimensions)) return "The field 'Dimensions' must be a list";
  const named = dimensions.map(present).map(({ Name, Value }) => [String(Name), String(Value)] as const);
  const timestamp = typeof at === 'string' ? Date.parse(at) : now;
  return { namespace, metricName, dimensions: Object.fromEntries(named), timestamp, value };
}

function present(given: Json): JsonObject {
  const members = Object.entries(isJsonObject(given) ? given : {});
  return Object.fromEntries(members.filter(([, value]) => value !== null));
}

function unknownIn(fields: JsonObject, known: readonly string[]): string | undefined {
  const unknown = Object.keys(fields).find(name => !known.includes(name));
  return unknown && `The field '${unknown}' is not supported here`;
}

function refused(message: string, { requestId }: { readonly requestId: string }): ServiceResult {
  const origin = `Service: CloudWatch, Status Code: 400, Request ID: ${requestId}`;
  const cause = `${message} (${origin}) (SDK Attempt Count: 1)`;
  return { kind: 'failed', error: 'CloudWatch.InvalidParameterValueException', cause };
}
