import type {
  EventBusSpec,
  FunctionSpec,
  QueueSourceSpec,
  QueueSpec,
  RuleSpec,
  StateMachineSpec,
  TableSpec,
} from './assembly';
import type { ResourceReader } from './resource-reader';
import type { Environment } from './stack';

/** How resources of one CloudFormation type are named, referred to and read. */
export interface ResourceType {
  /** The property that may give the physical name. */
  readonly nameProperty?: string;
  /** Longest name the service takes; a generated name stays within it. */
  readonly nameLimit?: number;
  /** What `Ref` yields; by default the physical name. */
  readonly ref?: (identity: Identity) => string | undefined;
  /** What `Fn::GetAtt` yields, by attribute; `undefined` after a noted problem. */
  readonly attributes: Readonly<Record<string, (identity: Identity) => string | undefined>>;
  /** Reads the resource into what the local stack runs. Types without it only lend their names. */
  readonly read?: (resource: ResourceReader) => ResourcePart;
  /**
   * Whether the local stack runs a resource of this type that it can read; otherwise it is listed as unsupported. What
   * it is told of problems is not noted. @default - all of them
   */
  readonly isRun?: (resource: ResourceReader) => boolean;
  /** True where nothing is missed locally when the resource does nothing: permissions, log groups. */
  readonly inert?: boolean;
}

/** The types we know, by CloudFormation name. */
export type ResourceTypes = ReadonlyMap<string, ResourceType>;

/** Who a resource is, for building its ARN. */
export interface Identity {
  readonly logicalId: string;
  readonly name: string;
  readonly environment: Environment;
  /** A resolved text property of the resource; `undefined` when absent. */
  property(name: string): string | undefined;
}

/** What a reader contributes to the assembly. */
export type ResourcePart =
  | { readonly kind: 'stateMachine'; readonly spec: StateMachineSpec }
  | { readonly kind: 'function'; readonly spec: FunctionSpec }
  | { readonly kind: 'table'; readonly spec: TableSpec }
  | { readonly kind: 'eventBus'; readonly spec: EventBusSpec }
  | { readonly kind: 'rule'; readonly spec: RuleSpec }
  | { readonly kind: 'queue'; readonly spec: QueueSpec }
  | { readonly kind: 'queueSource'; readonly spec: QueueSourceSpec };
