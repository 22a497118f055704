export { type Delivery, OnFailed, OnInProgress } from '../state-machine/options';
export type { Step } from '../state-machine/stages/run';
export { IdempotentWorkflow } from './idempotent-workflow';
export type { IdempotentWorkflowProps } from './idempotent-workflow-props';
export { RecordTable, type RecordTableProps } from './record-table';
export { EventBridgeSource, type EventBridgeSourceOptions } from './sources/event-bridge-source';
export { QueueSource, type QueueSourceOptions } from './sources/queue-source';
export type { IStartableWorkflow, IWorkflowSource, StartByKeyOptions } from './sources/source';
export { Source } from './sources/sources';
