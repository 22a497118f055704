export type { Step } from '../state-machine/stages/run';
export { IdempotentWorkflow, type IdempotentWorkflowProps } from './idempotent-workflow';
export { RecordTable, type RecordTableProps } from './record-table';
export { EventBridgeSource } from './sources/event-bridge-source';
export type { IWorkflowSource } from './sources/source';
export { Source } from './sources/sources';
