import type { Assembly } from './load-assembly';
import { LocalError } from './local-error';
import type { QueueSourceSpec } from './services/lambda/event-sources/cloudformation';
import type { LambdaFunctions } from './services/lambda/functions';
import { QueueSource, type QueueSourceServices } from './services/queue-source';

/** What event source mappings are opened with. */
export interface QueueSourcesOptions extends Omit<QueueSourceServices, 'region' | 'account'> {
  readonly assembly: Assembly;
  readonly place: { readonly region: string; readonly account: string };
  readonly functions: LambdaFunctions;
}

/**
 * Lets functions take from queues, as the assembly's event source mappings say. Those that are not enabled do nothing.
 *
 * @throws LocalError `InvalidAssembly` for a mapping whose queue or function the assembly does not have
 */
export function openQueueSources(options: QueueSourcesOptions): { close(): void } {
  const { assembly, place, functions, queues } = options;
  const problems: string[] = [];
  const settings = assembly.queueSources.flatMap(spec => {
    const problem = (message: string) => problems.push(`${spec.stack}/${spec.logicalId}: ${message}`);
    const functionArn = functionArnOf(spec, functions);
    if (!queues.find(spec.queueArn)) problem(`there is no queue ${spec.queueArn}; define it in the same app`);
    if (functionArn === undefined) problem(`there is no function ${spec.functionName} that runs locally`);
    return spec.enabled && functionArn !== undefined ? [{ ...spec, functionName: functionArn }] : [];
  });
  if (problems.length > 0) throw new LocalError('InvalidAssembly', problems);
  const sources = settings.map(setting => new QueueSource(setting, { ...place, ...options }));
  return {
    close() {
      for (const source of sources) source.close();
    },
  };
}

/** A version or an alias runs the function's current code. */
function functionArnOf({ functionName }: QueueSourceSpec, functions: LambdaFunctions): string | undefined {
  const unqualified = functionName.slice(0, functionName.lastIndexOf(':'));
  return (functions.find(functionName) ?? functions.find(unqualified))?.arn;
}
