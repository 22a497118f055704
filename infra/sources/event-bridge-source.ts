import { type EventPattern, type IEventBus, Rule } from 'aws-cdk-lib/aws-events';
import { SfnStateMachine } from 'aws-cdk-lib/aws-events-targets';
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import type { IWorkflowSource } from './source';

/** Starts the workflow for every event of a bus that matches a pattern; the execution's input is the whole event. */
export class EventBridgeSource implements IWorkflowSource {
  constructor(
    private readonly eventBus: IEventBus,
    private readonly eventPattern: EventPattern,
  ) {}

  bind(scope: Construct, stateMachine: IStateMachine): void {
    new Rule(scope, 'Rule', {
      eventBus: this.eventBus,
      eventPattern: this.eventPattern,
      targets: [new SfnStateMachine(stateMachine)],
    });
  }
}
