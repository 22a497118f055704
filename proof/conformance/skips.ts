import type { CaseBase, ExecutionCase, RecordedCase } from './cases/recorded-case';
import { OBSERVABLE } from './compare/recorded';
import { KNOWN_WORKERS } from './environment/workers';

/**
 * What a case needs that the local runtime does not have, by name; undefined where nothing is missing.
 *
 * This code does not check a definition for missing parts: the engine reports them when it rejects the definition.
 */
export function missingFor(recorded: RecordedCase): string | undefined {
  const isFifo = Object.values(recorded.topics).some(
    ({ attributes }) => attributes?.['FifoTopic'] === 'true',
  );
  if (isFifo) return 'FIFO topics';
  return missingService(recorded) ?? missingWorker(recorded) ?? missingInKind(recorded);
}

/** The services behind `services` in a case that are there. */
const SERVICES: ReadonlySet<string> = new Set([
  'activity',
  'dynamodb',
  'events',
  'lambda',
  's3',
  'sns',
  'sqs',
  'states',
]);

function missingService(recorded: RecordedCase): string | undefined {
  const { kind, services } = recorded;
  // What the tested state calls is missing only where it has no mock: then the answer says it.
  if (kind === 'api' && recorded.calls.every(call => 'op' in call && call.op === 'TestState'))
    return undefined;
  return services.find(service => !SERVICES.has(service));
}

function missingWorker({ workers }: CaseBase): string | undefined {
  const unknown = workers.find(({ behaviour }) => !KNOWN_WORKERS.has(behaviour));
  return unknown && `a worker that does ${unknown.behaviour}`;
}

function missingInKind(recorded: RecordedCase): string | undefined {
  switch (recorded.kind) {
    case 'execution':
      return missingInExecution(recorded);
    case 'execution-batch':
    case 'api':
      return undefined;
    default: {
      const never: never = recorded;
      throw new Error(`an unknown case: ${JSON.stringify(never)}`);
    }
  }
}

function missingInExecution({ during, expected, workers }: ExecutionCase): string | undefined {
  if (during) return 'calls while the execution runs';
  if (expected.other?.['eventBridgeEvents'] && workers.length === 0)
    return 'events of the executions themselves';
  const besides = Object.keys(expected.other ?? {}).find(name => !OBSERVABLE.has(name));
  return expected.history === undefined && besides !== undefined ? besides : undefined;
}
