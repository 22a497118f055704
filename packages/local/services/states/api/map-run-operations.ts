import { ARN, PAGE_SIZE, PAGE_TOKEN } from './fields';
import { NOTHING, type Operations, operation } from './operation';

const MAP_RUN_ARN = { kind: 'text', min: 1, max: 2000, required: true } as const;

export const MAP_RUN_OPERATIONS: Operations = {
  DescribeMapRun: operation({ mapRunArn: MAP_RUN_ARN }, ({ runtime }, { mapRunArn }) =>
    runtime.mapRuns.describe(mapRunArn),
  ),

  ListMapRuns: operation(
    { executionArn: ARN, maxResults: PAGE_SIZE, nextToken: PAGE_TOKEN },
    ({ runtime }, request) => runtime.mapRuns.list(request),
  ),

  UpdateMapRun: operation(
    {
      mapRunArn: MAP_RUN_ARN,
      maxConcurrency: { kind: 'number', min: 0 },
      toleratedFailurePercentage: { kind: 'number', min: 0, max: 100 },
      toleratedFailureCount: { kind: 'number', min: 0 },
    },
    async ({ runtime }, request) => {
      await runtime.mapRuns.update(request);
      return NOTHING;
    },
  ),
};
