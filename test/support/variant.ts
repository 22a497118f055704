import type { Stack } from 'aws-cdk-lib';
import type {
  IdempotentWorkflow,
  IdempotentWorkflowProps,
  IRecordTable,
  IWorkflowSource,
} from '../../infra/index';

/** The workflow of the reference app, or one that differs from it in some settings. */
export interface Variant {
  /** Tells the variants of a suite apart. */
  readonly name: string;
  readonly workflow?: Partial<IdempotentWorkflowProps>;
  /** Where the records are. @default - a table of the workflow's own */
  readonly table?: (stack: Stack) => IRecordTable;
  /** Further settings, which take constructs of the stack. */
  readonly settings?: (stack: Stack) => Partial<IdempotentWorkflowProps>;
  /** Bundles the functions of the package, if they must run. */
  readonly bundles?: boolean;
  /** What starts the workflow beside the tests; null: what `more` adds. @default - orders from the bus */
  readonly source?: IWorkflowSource | null;
  /** Adds to the stack, behind the workflow. */
  readonly more?: (stack: Stack, workflow: IdempotentWorkflow) => void;
}

/** How long the step's function may run in every variant, in milliseconds. */
export const STEP_TIMEOUT_MS = 10_000;

/** How long after the death of its owner a step may still be working. */
export const GRACE_MS = STEP_TIMEOUT_MS + 30_000;
