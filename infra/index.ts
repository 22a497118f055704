export type { ExecutionNames } from '../state-machine/contract/execution-name';
export type { StepEvent } from '../state-machine/contract/step-event';
export type { TableSchema } from '../state-machine/contract/table-schema';
export type { StepInput } from '../state-machine/expression/step-input-and-result';
export type { ICustomEventBus } from '../state-machine/options/event-buses';
export {
  FailureDestination,
  type FailureDestinationOptions,
} from '../state-machine/options/failure-destination';
export { KeepPayload } from '../state-machine/options/keep-payload';
export { type IdempotencyKey, Key } from '../state-machine/options/key';
export { OnFailed, type StoredFailureOptions } from '../state-machine/options/on-failed';
export { OnInProgress } from '../state-machine/options/on-in-progress';
export type { Delivery, IdempotencyProps } from '../state-machine/options/options';
export { Redrive } from '../state-machine/options/redrive';
export { Results, type ResultsOptions } from '../state-machine/options/results';
export { StoreError } from '../state-machine/options/store-error';
export { SuccessDestination } from '../state-machine/options/success-destination';
export type { IRecordTable } from '../state-machine/settings';
export type { Step } from '../state-machine/workflow/states/business-step';
export { IdempotentFragment } from './idempotent-fragment';
export type { IdempotentFragmentProps } from './idempotent-fragment-props';
export { IdempotentWorkflow } from './idempotent-workflow';
export type { IdempotentWorkflowProps } from './idempotent-workflow-props';
export type { RejectionCount } from './metrics/log-counts';
export type { AlarmName } from './monitoring/alarms';
export { Monitoring, type MonitoringProps } from './monitoring/monitoring';
export { RecordTable, type RecordTableProps } from './record-table';
export { type MachineRecoveryOptions, Recovery, type RecoveryOptions } from './recovery';
export type { RedeliverFailedOptions } from './redeliver-failed';
export type { CustomEventBusFilter } from './sources/custom-event-bus-filter';
export { CustomEventBusSource, type CustomEventBusSourceOptions } from './sources/custom-event-bus-source';
export { EventBridgeSource, type EventBridgeSourceOptions } from './sources/event-bridge-source';
export { HttpSource } from './sources/http-source';
export type { HttpProblems, HttpResponse, HttpSourceOptions } from './sources/http-source-options';
export type { KafkaOptions, MskOptions, SelfManagedKafkaOptions } from './sources/kafka-topic';
export { PipeSource, type PipeSourceOptions } from './sources/pipe-source';
export { QueueSource, type QueueSourceOptions } from './sources/queue-source';
export { RecordStream, type ShardedStreamOptions } from './sources/record-stream';
export {
  type IScheduleExpression,
  ScheduleSource,
  type ScheduleSourceOptions,
} from './sources/schedule-source';
export { Source } from './sources/sources';
export type { IRecordStream, StartingPosition } from './sources/stream-records';
export { TopicSource, type TopicSourceOptions } from './sources/topic-source';
export type {
  IStartableWorkflow,
  IWorkflowSource,
  SourceOptions,
  StartByKeyOptions,
} from './sources/workflow-source';
export type { ExportedDefinition } from './template/exported-definition';
export type { Plain, PlainObject } from './template/plain';
export { type WorkflowTemplate, workflowTemplate } from './template/workflow-template';
