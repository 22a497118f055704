import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';

/** Something that starts a workflow for every event it has. */
export interface IWorkflowSource {
  /** Defines, within `scope`, what starts the state machine. Called once, by `startFrom`. */
  bind(scope: Construct, stateMachine: IStateMachine): void;
}
