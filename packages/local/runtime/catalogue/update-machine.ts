import { StatesError } from '../requests/errors';
import type { Catalogue } from './catalogue';
import { requireDefinition } from './check-definition';
import { type LoggingRequest, loggingConfiguration, requireRoleArn } from './configuration';
import type { RegisteredMachine, TracingConfiguration } from './registered-machine';
import { isSameRevision } from './revisions';
import { publish } from './versions';

/** What UpdateStateMachine takes: what is absent stays as it is. */
export interface UpdateMachineRequest {
  readonly stateMachineArn: string;
  readonly definition?: string;
  readonly roleArn?: string;
  readonly loggingConfiguration?: LoggingRequest;
  readonly tracingConfiguration?: Partial<TracingConfiguration>;
  readonly publish?: boolean;
  readonly versionDescription?: string;
}

/** What UpdateStateMachine answers, with the time in epoch milliseconds. */
export interface UpdatedMachine {
  readonly updateDate: number;
  readonly revisionId?: string;
  readonly stateMachineVersionArn?: string;
}

/**
 * Gives a machine another revision. Executions that run keep theirs.
 *
 * A request that changes nothing makes no revision, and publishing one that is a version already answers that version.
 *
 * @throws StatesError `MissingRequiredParameter`, `StateMachineDoesNotExist`, and the rejections of CreateStateMachine.
 */
export function updateStateMachine(catalogue: Catalogue, request: UpdateMachineRequest): UpdatedMachine {
  const { machines, clock, ids } = catalogue;
  const item = machines.item(request.stateMachineArn);
  requireSomething(request);
  if (request.roleArn !== undefined) requireRoleArn(request.roleArn);
  const now = clock.now();
  const before = item.machine;
  const definitionText = request.definition ?? before.definitionText;
  const content = {
    definitionText,
    type: before.type,
    roleArn: request.roleArn ?? before.roleArn,
    loggingConfiguration: request.loggingConfiguration
      ? loggingConfiguration(request.loggingConfiguration, catalogue.logGroups)
      : before.loggingConfiguration,
    tracingConfiguration: request.tracingConfiguration
      ? { enabled: request.tracingConfiguration.enabled ?? false }
      : before.tracingConfiguration,
  };
  const isChanged = !isSameRevision(before, content) || content.roleArn !== before.roleArn;
  const machine: RegisteredMachine = isChanged
    ? {
        ...before,
        ...content,
        definition: requireDefinition(definitionText, before.type, machines.services),
        updateDate: now,
        revisionId: ids.uuid(),
      }
    : before;
  const updated = { ...item, machine };
  const published = request.publish ? publish(updated, now, request.versionDescription) : { item: updated };
  machines.put(published.item);
  return {
    updateDate: now,
    ...(machine.revisionId !== undefined && { revisionId: machine.revisionId }),
    ...(published.versionArn !== undefined && { stateMachineVersionArn: published.versionArn }),
  };
}

function requireSomething(request: UpdateMachineRequest): void {
  const { definition, roleArn, tracingConfiguration } = request;
  if (
    [definition, roleArn, request.loggingConfiguration, tracingConfiguration].every(
      given => given === undefined,
    )
  ) {
    const message =
      'Either the definition, the role ARN, the LoggingConfiguration, or the TracingConfiguration must be specified';
    throw new StatesError('MissingRequiredParameter', message);
  }
  if (request.versionDescription !== undefined && !request.publish) {
    throw new StatesError('ValidationException', 'Version description can only be set when publish is true');
  }
}
