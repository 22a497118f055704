import type { Json } from '../../../json/json';
import { cloudWatchIntegrations } from '../../../services/cloudwatch/integrations';
import type { MetricDatum } from '../../../services/local-service';

const NOW = Date.UTC(2026, 10, 20, 9);

function serviceFor(data: MetricDatum[]) {
  const integrations = cloudWatchIntegrations(datum => data.push(datum), {
    newRequestId: () => 'r1',
    now: () => NOW,
  });
  return integrations.get('aws-sdk:cloudwatch:putMetricData');
}

async function put(given: Json) {
  const data: MetricDatum[] = [];
  const service = serviceFor(data);
  const answer = await service?.call({ arguments: given, retryCount: 0 } as never, {} as never);
  return { answer, data };
}

const request = (entry: Json, namespace = 'Shop') => ({ Namespace: namespace, MetricData: [entry] });

describe('aws-sdk:cloudwatch:putMetricData', () => {
  test('single values: kept with their dimensions, at the time of the request or their own', async () => {
    const Dimensions = [{ Name: 'Region', Value: 'north' }];
    const { answer, data } = await put({
      Namespace: 'Shop',
      MetricData: [
        { MetricName: 'Age', Value: 5, Unit: 'Seconds', Dimensions },
        { MetricName: 'Age', Value: 6, Timestamp: '2026-11-20T08:00:00Z' },
      ],
    });

    expect(answer).toEqual({ kind: 'succeeded', output: {} });
    expect(data).toEqual([
      { namespace: 'Shop', metricName: 'Age', dimensions: { Region: 'north' }, timestamp: NOW, value: 5 },
      { namespace: 'Shop', metricName: 'Age', dimensions: {}, timestamp: NOW - 3_600_000, value: 6 },
    ]);
  });

  test.each<[string, Json, string]>([
    ['values in a list', request({ MetricName: 'Age', Values: [1] }), "'Values' is not supported here"],
    ['no name', request({ Value: 1 }), "'MetricName' is required"],
    ['a value that is a text', request({ MetricName: 'Age', Value: '1' }), "'Value' must be a number"],
    ['no list', { Namespace: 'Shop', MetricData: {} }, "'MetricData' must be a list"],
  ])('%s: no call is made', (_, given, reason) => {
    expect(serviceFor([])?.rejectionOf?.(given)).toContain(reason);
  });

  test.each([
    ['the namespace of a service', request({ MetricName: 'Age', Value: 1 }, 'AWS/States')],
    ['too many values', { Namespace: 'Shop', MetricData: Array(1001).fill({ MetricName: 'Age', Value: 1 }) }],
  ])('%s: rejected', async (_, given) => {
    const { answer, data } = await put(given);

    expect(answer).toMatchObject({ error: 'CloudWatch.InvalidParameterValueException' });
    expect(data).toEqual([]);
  });
});
