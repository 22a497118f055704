import { LocalError } from '../../../local-error';
import type { Clock } from '../../../runtime/time/clock';
import type { WorkTracker } from '../../../runtime/time/work-tracker';
import type { Environment, ServiceDirectory } from '../../local-service';
import { ENVIRONMENTS_MAX, type LambdaFunctions } from '../functions';
import type { Invocations } from '../invocations';
import type { QueueSourceSpec } from './cloudformation';
import { QueueSource } from './queue-source';

export interface EventSourceDependencies {
  readonly environment: Environment;
  readonly clock: Clock;
  readonly work: WorkTracker;
  readonly services: ServiceDirectory;
  readonly functions: LambdaFunctions;
  readonly invocations: Invocations;
}

/**
 * Lets functions take from queues, as event source mappings say. Those that are not enabled do nothing. Returns what
 * stops them.
 *
 * @throws LocalError `InvalidAssembly` for mappings whose queue or function the assembly does not have
 */
export function startEventSources(
  mappings: readonly QueueSourceSpec[],
  { services, functions, environment, ...dependencies }: EventSourceDependencies,
): () => void {
  const problems: string[] = [];
  const starts = mappings.flatMap(mapping => {
    const { stack, logicalId, queueArn, functionName, enabled } = mapping;
    const problem = (message: string) => problems.push(`${stack}/${logicalId}: ${message}`);
    const functionArn = functionArnOf(functionName, functions);
    const queues = services.ownerOf(queueArn)?.queues;
    if (!queues?.find(queueArn))
      problem(`there is no queue ${queueArn}; name one of the app's own account and region`);
    if (functionArn === undefined) problem(`there is no function ${functionName} that runs locally`);
    if (!enabled || functionArn === undefined || !queues) return [];
    // A message that waited for an environment would become visible meanwhile. And a virtual clock waits for a batch
    // that has begun, which would wait for the functions before it, and they for the clock.
    const maximumConcurrency = Math.min(mapping.maximumConcurrency ?? ENVIRONMENTS_MAX, ENVIRONMENTS_MAX);
    const settings = { ...mapping, functionName: functionArn, maximumConcurrency };
    return () => new QueueSource(settings, { ...environment, ...dependencies, queues });
  });
  if (problems.length > 0) throw new LocalError('InvalidAssembly', problems);
  const sources = starts.map(start => start());
  return () => {
    for (const source of sources) source.close();
  };
}

/** A version or an alias runs the function's current code. */
function functionArnOf(functionName: string, functions: LambdaFunctions): string | undefined {
  const unqualified = functionName.slice(0, functionName.lastIndexOf(':'));
  return (functions.find(functionName) ?? functions.find(unqualified))?.arn;
}
