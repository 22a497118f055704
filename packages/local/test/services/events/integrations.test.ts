import type { Json } from '../../../json/json';
import type { ServiceResult } from '../../../runtime/calls/service';
import type { EventEntry } from '../../../services/events/event';
import { eventsIntegrations } from '../../../services/events/integrations';

const MACHINE = 'arn:aws:states:eu-central-1:123456789012:stateMachine:Shop';
const EXECUTION = 'arn:aws:states:eu-central-1:123456789012:execution:Shop:run-1';

async function call(given: Json, options: { executionArn?: string; response?: Json } = {}) {
  const { executionArn = EXECUTION, response = { FailedEntryCount: 0, Entries: [] } } = options;
  let seen: readonly EventEntry[] = [];
  const service = eventsIntegrations(async entries => {
    seen = entries;
    return response as { FailedEntryCount: number };
  }).get('events:putEvents');
  if (!service) throw new Error('no events:putEvents');
  const request = { resource: 'events:putEvents', arguments: given, stateName: 'Put', retryCount: 0 };
  const result: ServiceResult = await service.call(
    { ...request, executionArn },
    new AbortController().signal,
  );
  return { result, seen };
}

describe('events:putEvents', () => {
  test('Detail as object or text: both arrive as text, own resources before the ARNs', async () => {
    const { seen } = await call({
      Entries: [
        { Source: 's', DetailType: 't', Detail: { a: 1 } },
        { Source: 's', DetailType: 't', Detail: '{"a": 1}', Resources: ['mine'] },
      ],
    });

    expect(seen).toEqual([
      { source: 's', detailType: 't', detail: '{"a":1}', resources: [MACHINE, EXECUTION] },
      { source: 's', detailType: 't', detail: '{"a": 1}', resources: ['mine', MACHINE, EXECUTION] },
    ]);
  });

  test('express execution: the machine it belongs to', async () => {
    const executionArn = 'arn:aws:states:eu-central-1:123456789012:express:Shop:run-1:uuid-1';
    const { seen } = await call({ Entries: [{ Source: 's' }] }, { executionArn });

    expect(seen[0]?.resources).toEqual([MACHINE, executionArn]);
  });

  test('all entries taken: succeeds with the response', async () => {
    const response = { FailedEntryCount: 0, Entries: [{ EventId: 'id-1' }] };
    const { result } = await call({ Entries: [{ Source: 's' }] }, { response });

    expect(result).toEqual({ kind: 'succeeded', output: response });
  });

  test('one entry rejected: EventBridge.FailedEntry with the whole response', async () => {
    const response: Json = {
      FailedEntryCount: 1,
      Entries: [{ EventId: 'id-1' }, { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' }],
    };
    const { result } = await call({ Entries: [{ Source: 's' }] }, { response });

    expect(result).toEqual({
      kind: 'failed',
      error: 'EventBridge.FailedEntry',
      cause: JSON.stringify(response),
    });
  });

  const rejections: readonly [Json, RegExp][] = [
    [{}, /Member must not be null .*Error Code: ValidationException/],
    [{ Entries: [] }, /length greater than or equal to 1/],
    [{ Entries: [{ Resources: 'x' }] }, /Entries\[0\]\.Resources must be a list of strings/],
    [{ Entries: [5] }, /Entries\[0\] must be an object .*Error Code: SerializationException/],
  ];
  test.each(rejections)('%j: the task fails, nothing is published', async (given, cause) => {
    const { result, seen } = await call(given);

    expect(result).toEqual({
      kind: 'failed',
      error: 'EventBridge.AmazonEventBridgeException',
      cause: expect.stringMatching(cause),
    });
    expect(seen).toEqual([]);
  });
});
