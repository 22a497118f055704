import type { Duration } from 'aws-cdk-lib';
import type { IRole } from 'aws-cdk-lib/aws-iam';
import {
  type IChainable,
  type LogOptions,
  QueryLanguage,
  StateMachine,
  StateMachineType,
} from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import type { DeployedMachine } from '../../state-machine/contract/deployed-settings';
import { deployedComment } from '../../state-machine/deployed-comment';
import { requireUnchanged } from '../../state-machine/template/require-unchanged';
import { acknowledge, FINDING } from '../cdk/acknowledge';
import { encrypt, encryptLike } from '../cdk/customer-key';
import { inlineGrants } from '../cdk/inline-grants';
import { OrderedDefinitionBody } from '../cdk/ordered-definition';
import { type OwnValue, shareDefinition } from '../cdk/shared-definitions';

/** Settings of an {@link internalStateMachine}. */
export interface InternalStateMachineProps {
  /** What it is for, in words. */
  readonly comment: string;
  /** What it is, as data. */
  readonly deployed: DeployedMachine;
  readonly states: IChainable;
  /** The names of the states, in order. */
  readonly names: readonly string[];
  /** What tells its definition from those of other workflows. @default - nothing but what it refers to */
  readonly ownValues?: readonly OwnValue[];
  /** The role that it shares with another state machine. @default - one of its own */
  readonly role?: IRole;
  /** The workflow whose key encrypts it. @default - the key of the construct around it */
  readonly encryptedLike?: StateMachine;
  /** What an Express one has: its log, and why that has errors only and X-Ray nothing. @default - it is Standard */
  readonly express?: {
    readonly timeout: Duration;
    readonly logs: LogOptions;
    readonly whyErrorsOnly: string;
    readonly whyNotTraced: string;
  };
}

/** A state machine in JSONata that a workflow needs beside its own: encrypted, with cdk-nag's findings acknowledged. */
export function internalStateMachine(
  scope: Construct,
  id: string,
  {
    comment,
    deployed,
    states,
    names,
    ownValues = [],
    role,
    encryptedLike,
    express,
  }: InternalStateMachineProps,
): StateMachine {
  const stateMachine = new StateMachine(scope, id, {
    comment: deployedComment(comment, deployed),
    queryLanguage: QueryLanguage.JSONATA,
    ...(role && { role }),
    ...(express && {
      stateMachineType: StateMachineType.EXPRESS,
      timeout: express.timeout,
      logs: express.logs,
    }),
    definitionBody: new OrderedDefinitionBody(states, names),
  });
  if (!role) inlineGrants(stateMachine.role);
  const type = express ? StateMachineType.EXPRESS : StateMachineType.STANDARD;
  requireType(stateMachine, type, 'Leave this state machine out there');
  shareDefinition(stateMachine, ownValues);
  if (encryptedLike) encryptLike(encryptedLike, stateMachine);
  else encrypt(stateMachine);
  if (express)
    acknowledge(stateMachine, FINDING.wildcard('*'), 'the log delivery operations know no resource');
  const { whyErrorsOnly, whyNotTraced } = express ?? STANDARD;
  acknowledge(stateMachine, FINDING.notAllLogged, whyErrorsOnly);
  acknowledge(stateMachine, FINDING.notTraced, whyNotTraced);
  return stateMachine;
}

const STANDARD = {
  whyErrorsOnly: 'Step Functions keeps the history of each execution',
  whyNotTraced: 'the history of an execution contains each of its steps',
};

/** Ends the synthesis if the template has another type: an Express execution can be neither described nor redriven. */
export function requireType(stateMachine: StateMachine, type: StateMachineType, remedy: string): void {
  requireUnchanged(stateMachine, { 'AWS::StepFunctions::StateMachine': ['StateMachineType'] }, type, remedy);
}
