import type { EventPattern, IEventBus } from 'aws-cdk-lib/aws-events';
import { EventBridgeSource } from './event-bridge-source';
import type { IWorkflowSource } from './source';

/** Where executions come from, for {@link IdempotentWorkflow.startFrom}. */
export const Source = {
  /** Every event of the bus that matches the pattern. EventBridge delivers at least once; the workflow runs once. */
  eventBridge(eventBus: IEventBus, eventPattern: EventPattern): IWorkflowSource {
    return new EventBridgeSource(eventBus, eventPattern);
  },
} as const;
