import { StatesError } from '../requests/errors';
import type { Catalogue } from './catalogue';
import { type CatalogueItem, type Tag, versionArnOf, versionOf } from './catalogue-item';
import { requireDefinition } from './check-definition';
import { type LoggingRequest, loggingConfiguration, requireRoleArn } from './configuration';
import type { MachineType, RegisteredMachine, TracingConfiguration } from './registered-machine';
import { isSameRevision } from './revisions';
import { mergeTags } from './tags';
import { publish } from './versions';

/** What CreateStateMachine takes. */
export interface CreateMachineRequest {
  readonly name: string;
  readonly definition: string;
  readonly roleArn: string;
  /** @default STANDARD */
  readonly type?: MachineType;
  readonly loggingConfiguration?: LoggingRequest;
  readonly tracingConfiguration?: Partial<TracingConfiguration>;
  readonly tags?: readonly Tag[];
  /** Whether the first revision becomes version 1. */
  readonly publish?: boolean;
  readonly versionDescription?: string;
}

/** What CreateStateMachine answers, with times in epoch milliseconds. */
export interface CreatedMachine {
  readonly stateMachineArn: string;
  readonly creationDate: number;
  readonly stateMachineVersionArn?: string;
}

/**
 * Creates a state machine.
 *
 * The same request again is answered as the first was: texts of definitions are compared, roles and tags are not.
 *
 * @throws StatesError `StateMachineAlreadyExists` for a name in use otherwise, and the service's rejections of a name,
 * a definition, a role ARN or a configuration.
 */
export function createStateMachine(catalogue: Catalogue, request: CreateMachineRequest): CreatedMachine {
  const { machines, clock } = catalogue;
  const { versionDescription } = request;
  const arn = machines.arnOf({ name: request.name });
  if (versionDescription !== undefined && !request.publish) {
    throw new StatesError('ValidationException', 'Version description can only be set when publish is true');
  }
  requireRoleArn(request.roleArn);
  const now = clock.now();
  const type = request.type ?? 'STANDARD';
  const configured = {
    definitionText: request.definition,
    type,
    loggingConfiguration: loggingConfiguration(request.loggingConfiguration, catalogue.logGroups),
    tracingConfiguration: { enabled: request.tracingConfiguration?.enabled ?? false },
  };
  const known = machines.items().find(({ machine }) => machine.arn === arn);
  if (known) return createdBefore(known, configured, request);

  const machine: RegisteredMachine = {
    ...configured,
    definition: requireDefinition(request.definition, type, machines.services),
    arn,
    name: request.name,
    roleArn: request.roleArn,
    creationDate: now,
    updateDate: now,
  };
  const tags = mergeTags([], request.tags ?? []);
  const item: CatalogueItem = { machine, versions: [], lastVersion: 0, aliases: [], tags };
  const published = request.publish ? publish(item, now, versionDescription) : { item };
  machines.put(published.item);
  return created(published.item, published.versionArn);
}

function createdBefore(
  known: CatalogueItem,
  configured: Parameters<typeof isSameRevision>[1],
  request: CreateMachineRequest,
): CreatedMachine {
  const version = versionOf(known, known.machine);
  const isPublishedSo = version !== undefined && version.description === request.versionDescription;
  if (!isSameRevision(known.machine, configured) || (request.publish && !isPublishedSo)) {
    const message = `State Machine Already Exists: '${known.machine.arn}'`;
    throw new StatesError('StateMachineAlreadyExists', message);
  }
  return created(known, request.publish && version ? versionArnOf(known, version.number) : undefined);
}

function created({ machine }: CatalogueItem, versionArn: string | undefined): CreatedMachine {
  return {
    stateMachineArn: machine.arn,
    creationDate: machine.creationDate,
    ...(versionArn !== undefined && { stateMachineVersionArn: versionArn }),
  };
}
