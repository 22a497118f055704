import type { Json, JsonObject } from '../../json/json';
import type { Service, ServiceCall, ServiceResult, ServiceTable } from '../../runtime/calls/service';
import type { MetricDatum } from '../local-service';
import { givenIn, unknownIn } from '../rejections';

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
    rejectionOf(given) {
      const fields = givenIn(given);
      const { MetricData: entries } = fields;
      const fault = unknownIn(fields, ['Namespace', 'MetricData']);
      if (fault !== undefined) return fault;
      if (!Array.isArray(entries)) return "The field 'MetricData' must be a list";
      return entries.map(entry => faultOf(givenIn(entry))).find(wrong => wrong !== undefined);
    },
    async call({ arguments: given }: ServiceCall): Promise<ServiceResult> {
      const { Namespace: namespace, MetricData } = givenIn(given);
      const entries: readonly Json[] = Array.isArray(MetricData) ? MetricData : [];
      if (typeof namespace !== 'string' || !NAMESPACE.test(namespace)) {
        return rejected('The parameter Namespace must be 1 to 255 characters of A-Z, a-z, 0-9 and .-_/#:', {
          requestId: newRequestId(),
        });
      }
      if (entries.length > REQUEST_MAX) {
        return rejected(`The collection MetricData must not have a size greater than ${REQUEST_MAX}.`, {
          requestId: newRequestId(),
        });
      }
      for (const entry of entries) put(datumOf(givenIn(entry), namespace, now()));
      return { kind: 'succeeded', output: {} };
    },
  };
  return new Map([['aws-sdk:cloudwatch:putMetricData', putMetricData]]);
}

/** No namespace of a service, which begins with AWS/. */
const NAMESPACE = /^(?!AWS\/)[\w.\-/#:]{1,255}$/;

function faultOf(entry: JsonObject): string | undefined {
  const fault = unknownIn(entry, ['MetricName', 'Value', 'Unit', 'Dimensions', 'Timestamp']);
  if (fault !== undefined) return fault;
  const { MetricName: metricName, Value: value, Dimensions: dimensions = [] } = entry;
  if (typeof metricName !== 'string') return "The field 'MetricName' is required but was missing";
  if (typeof value !== 'number') return "The field 'Value' must be a number";
  return Array.isArray(dimensions) ? undefined : "The field 'Dimensions' must be a list";
}

function datumOf(entry: JsonObject, namespace: string, now: number): MetricDatum {
  const { MetricName: metricName, Value: value, Dimensions: dimensions, Timestamp: at } = entry;
  const named = (Array.isArray(dimensions) ? dimensions : [])
    .map(givenIn)
    .map(({ Name, Value }) => [String(Name), String(Value)] as const);
  const timestamp = typeof at === 'string' ? Date.parse(at) : now;
  return {
    ...{ namespace, metricName: String(metricName), value: Number(value), timestamp },
    dimensions: Object.fromEntries(named),
  };
}

function rejected(message: string, { requestId }: { readonly requestId: string }): ServiceResult {
  const origin = `Service: CloudWatch, Status Code: 400, Request ID: ${requestId}`;
  const cause = `${message} (${origin}) (SDK Attempt Count: 1)`;
  return { kind: 'failed', error: 'CloudWatch.InvalidParameterValueException', cause };
}
