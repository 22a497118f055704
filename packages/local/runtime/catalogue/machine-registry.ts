import type { ServiceTable } from '../calls/service';
import { requireMachineArn, splitMachineArn } from '../requests/arns';
import { StatesError } from '../requests/errors';
import { requireNameCharacters, requireNameLength } from '../requests/names';
import { aliasArnOf, type CatalogueItem, versionArnOf } from './catalogue-item';
import { requireDefinition } from './check-definition';
import { type LoggingRequest, loggingConfiguration } from './configuration';
import type { Environment } from './environment';
import type {
  MachineChoice,
  MachineType,
  RegisteredMachine,
  TracingConfiguration,
} from './registered-machine';
import { chooseByWeight } from './routing';

/** A state machine to register: by name in the runtime's own environment, or by its whole ARN. */
export type MachineIdentity = ({ readonly name: string } | { readonly arn: string }) & {
  /** @default STANDARD */
  readonly type?: MachineType;
  /** Shown in histories and the context object; nothing is checked against it. */
  readonly roleArn?: string;
  /** Stored and returned; nothing is logged or traced here. @default - off */
  readonly loggingConfiguration?: LoggingRequest;
  readonly tracingConfiguration?: TracingConfiguration;
};

/** The state machines with their versions, aliases and tags. Operations on them are functions in `catalogue/`. */
export class MachineRegistry {
  readonly #items = new Map<string, CatalogueItem>();
  readonly #rejections = new Map<string, string>();
  readonly services: ServiceTable;
  readonly environment: Environment;
  readonly #changed: () => void;

  /** `changed` is called after each change, before the operation answers. */
  constructor(services: ServiceTable, environment: Environment, changed: () => void = () => undefined) {
    this.services = services;
    this.environment = environment;
    this.#changed = changed;
  }

  /**
   * Registers a definition. The same text under the same ARN again changes nothing.
   *
   * @throws StatesError `InvalidDefinition` with every problem, `StateMachineAlreadyExists` for another text
   * under the same ARN, `InvalidName`, `InvalidArn`.
   */
  register(definitionText: string, identity: MachineIdentity, now: number): RegisteredMachine {
    const arn = this.arnOf(identity);
    const known = this.#items.get(arn)?.machine;
    if (known?.definitionText === definitionText) return known;
    if (known) throw new StatesError('StateMachineAlreadyExists', `State Machine Already Exists: '${arn}'`);
    const type = identity.type ?? 'STANDARD';
    const name = arn.split(':')[6] ?? '';
    const machine: RegisteredMachine = {
      definition: requireDefinition(definitionText, type, this.services),
      arn,
      name,
      roleArn:
        identity.roleArn ?? `arn:${this.environment.partition}:iam::${this.environment.account}:role/${name}`,
      definitionText,
      type,
      creationDate: now,
      updateDate: now,
      loggingConfiguration: loggingConfiguration(identity.loggingConfiguration),
      tracingConfiguration: identity.tracingConfiguration ?? { enabled: false },
    };
    this.put({ machine, versions: [], lastVersion: 0, aliases: [], tags: [] });
    return machine;
  }

  /**
   * The machine itself, not one of its versions or aliases.
   *
   * @throws StatesError `InvalidArn`, `StateMachineDoesNotExist`.
   */
  get(arn: string): RegisteredMachine {
    return this.item(arn).machine;
  }

  /** @throws StatesError `InvalidArn`, `StateMachineDoesNotExist`. */
  item(arn: string): CatalogueItem {
    const item = this.#items.get(arn);
    if (item) return item;
    requireMachineArn(arn);
    return this.#missing(arn);
  }

  /** The item of the machine that an ARN names, with or without a qualifier. */
  find(arn: string): CatalogueItem | undefined {
    return this.#items.get(splitMachineArn(arn).machineArn);
  }

  /**
   * The revision that an ARN of a machine, a version or an alias names now. `random` draws in [0, 1) for an alias
   * that routes to two versions.
   *
   * @throws StatesError `InvalidArn`, `StateMachineDoesNotExist`.
   */
  resolve(arn: string, random: () => number): MachineChoice {
    // Most requests name the machine itself; an ARN that is known needs no reading.
    const unqualified = this.#items.get(arn);
    if (unqualified) return { machine: unqualified.machine };
    requireMachineArn(arn);
    const { qualifier } = splitMachineArn(arn);
    const item = this.find(arn) ?? this.#missing(arn);
    if (qualifier === undefined) return { machine: item.machine };
    const alias = item.aliases.find(({ name }) => name === qualifier);
    const versionArn = alias ? chooseByWeight(alias.routingConfiguration, random) : arn;
    const version = item.versions.find(({ number }) => versionArnOf(item, number) === versionArn);
    if (!version) return this.#missing(arn);
    const { machine } = version;
    return alias ? { machine, versionArn, aliasArn: aliasArnOf(item, alias.name) } : { machine, versionArn };
  }

  /** All machines, in the order of their registration. */
  list(): readonly RegisteredMachine[] {
    return [...this.#items.values()].map(item => item.machine);
  }

  /** The machines with all that belongs to them, in the order of their registration. */
  items(): readonly CatalogueItem[] {
    return [...this.#items.values()];
  }

  /** Loads items that were saved before; `changed` is not called. */
  load(items: readonly CatalogueItem[]): void {
    for (const item of items) this.#items.set(item.machine.arn, item);
  }

  /** Replaces the item with the same ARN, or adds it. */
  put(item: CatalogueItem): void {
    this.#items.set(item.machine.arn, item);
    this.#changed();
  }

  /** Removes a machine with its versions, aliases and tags. One that does not exist is fine. */
  delete(arn: string): void {
    if (this.#items.delete(arn)) this.#changed();
  }

  /** Removes a machine, if there is one; requests for it are rejected with this reason until there is one again. */
  reject(arn: string, reason: string): void {
    this.delete(arn);
    this.#rejections.set(arn, reason);
  }

  /** @throws StatesError `InvalidArn`, `InvalidName`. */
  arnOf(identity: { readonly name: string } | { readonly arn: string }): string {
    if ('arn' in identity) {
      requireMachineArn(identity.arn);
      return identity.arn;
    }
    requireNameLength(identity.name);
    requireNameCharacters(identity.name);
    const { partition, region, account } = this.environment;
    return `arn:${partition}:states:${region}:${account}:stateMachine:${identity.name}`;
  }

  #missing(arn: string): never {
    const reason = this.#rejections.get(splitMachineArn(arn).machineArn);
    const because = reason === undefined ? '' : `; ${reason}`;
    throw new StatesError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${arn}'${because}`);
  }
}
