export type { ExecutionNames } from '../state-machine/contract/execution-name';
export type { StepEvent } from '../state-machine/contract/step-event';
export type { TableSchema } from '../state-machine/contract/table-schema';
export { MissingKeyError, PayloadMismatchError, StartOnceError } from './errors';
export { Key } from './key';
export type { StartOnceOptions, WorkflowType } from './options';
export type { StartOnceResult } from './result';
export { startOnce } from './start-once';
