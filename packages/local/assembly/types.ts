import type { Json } from '../json/json';
import type { Problem } from './problem';
import type { Environment, Stack } from './stack';

// What reading an assembly is made of. A resource is read through others, and these through it, so that the types of
// all of them stand in one file.

/** What references in templates can lead to. */
export interface ReferenceScope {
  readonly stacks: readonly Stack[];
  readonly types: ResourceTypes;
  /** Values for template parameters, by `Parameter` or `Stack:Parameter`; they win over defaults. */
  readonly parameters: Readonly<Record<string, string>>;
  /** What stacks export: `exportKey` to the output behind it. */
  readonly exports: ReadonlyMap<string, { readonly stack: Stack; readonly output: string }>;
}

/**
 * A position in a template that is being resolved.
 *
 * Resolving never stops at a problem: it notes it and goes on with `undefined`, so one run names all of them.
 */
export interface Reading {
  readonly scope: ReferenceScope;
  readonly stack: Stack;
  /** From the template's root, e.g. `Resources.Fn.Properties.Handler`. */
  readonly path: string;
  /** The names that are being worked out, outermost first: meeting one again is a cycle. */
  readonly visiting: readonly string[];
  readonly problems: Problem[];
}

/** The value at a position of a template; `undefined` is `AWS::NoValue`, or a problem that has been noted. */
export type Resolve = (value: Json, reading: Reading) => Json | undefined;

/**
 * Typed access to the members of one object of a template.
 *
 * A missing value, or one of the wrong type, is noted as a problem with its path. The reader gets an empty value so
 * that it can continue. A problem rejects the whole assembly, so the empty value is never used.
 */
export interface Section {
  /** `undefined` when absent, `AWS::NoValue`, or already in error. */
  value(name: string): Json | undefined;
  text(name: string): string;
  optionalText(name: string): string | undefined;
  /** CloudFormation takes numbers as text too, so `"30"` is 30. */
  optionalNumber(name: string): number | undefined;
  /** A whole number within bounds. */
  wholeNumber(name: string, min: number, max: number): number | undefined;
  object(name: string): Section | undefined;
  objects(name: string): readonly Section[];
  texts(name: string): string[];
  /** A map of texts; numbers and booleans in it become text, as AWS turns them. */
  textMap(name: string): Record<string, string>;
  /** A text that must be one of `allowed`. */
  oneOf<T extends string>(name: string, allowed: readonly T[]): T | undefined;
  /** Notes a problem with a member. */
  problem(name: string, message: string): undefined;
}

/** Who a resource is, for building its ARN. */
export interface Identity {
  readonly logicalId: string;
  readonly name: string;
  readonly environment: Environment;
  /** A resolved text property of the resource; `undefined` when absent. */
  property(name: string): string | undefined;
  /** A resolved property of any form; `undefined` when absent. */
  value(name: string): Json | undefined;
  /** 1 for the first resource of its type in the template with this value of a property, 2 for the next. */
  ordinal(name: string): number;
}

/** One resource of a template: who it is, and its properties, each resolved when it is asked for. */
export interface ResourceReader extends Section {
  readonly stack: Stack;
  readonly identity: Identity;
  readonly logicalId: string;
  /** What `Fn::GetAtt` yields for this resource. */
  attribute(name: string): string;
  /** Where problems with files outside the template are noted. */
  readonly problems: Problem[];
  /**
   * Notes why the local stack does not run this resource, though AWS would, e.g. `it is a FIFO topic`. It is listed
   * then, and rejected with these words when it is called.
   */
  notRun(reason: string): undefined;
}

/** The members of any resource that are read. */
export interface ResourceSpec {
  readonly logicalId: string;
  /** The name of its stack. */
  readonly stack: string;
  /** Of resources that have one; no two may have the same. */
  readonly arn?: string;
}

/** The members of a resource that its type reads; its logical id and its stack are added. */
export type Read<Spec extends ResourceSpec = ResourceSpec> = Omit<Spec, 'logicalId' | 'stack'>;

/** How resources of one CloudFormation type are named, referred to and read. */
export interface ResourceType<Spec extends ResourceSpec = ResourceSpec> {
  /** The property that may give the physical name. */
  readonly nameProperty?: string;
  /** Longest name the service takes; a generated name stays within it. */
  readonly nameLimit?: number;
  /** What a generated name ends in, by a member of the resource as it stands in the template. @default - nothing */
  readonly nameSuffix?: (property: (name: string) => Json | undefined) => string;
  /** The physical name, where the service writes the one of the identity in another way. @default - the identity's */
  readonly physicalName?: (identity: Identity) => string;
  /** What `Ref` yields; by default the physical name. */
  readonly ref?: (identity: Identity) => string | undefined;
  /** What `Fn::GetAtt` yields, by attribute; `undefined` after a noted problem. */
  readonly attributes: Readonly<Record<string, (identity: Identity) => string | undefined>>;
  /** Reads the resource into what the local stack runs. Types without it only lend their names. */
  readonly read?: (resource: ResourceReader) => Read<Spec>;
  /** True where nothing is missed locally when the resource does nothing: permissions, log groups. */
  readonly inert?: boolean;
}

/** Types of resources, by CloudFormation name. */
export type ResourceTypes = ReadonlyMap<string, ResourceType>;
