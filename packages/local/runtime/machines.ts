import { requireMachineArn, splitMachineArn } from './arns';
import { requireDefinition } from './catalogue/check-definition';
import { type LoggingRequest, loggingConfiguration } from './catalogue/configuration';
import { aliasArnOf, type MachineEntry, versionArnOf } from './catalogue/entry';
import type {
  MachineChoice,
  MachineType,
  RegisteredMachine,
  TracingConfiguration,
} from './catalogue/machine';
import { chooseByWeight } from './catalogue/routing';
import { StatesError } from './errors';
import { requireNameCharacters, requireNameLength } from './names';
import type { ServiceTable } from './service';

/** A state machine to register: by name in the runtime's own account and region, or by its whole ARN. */
export type MachineIdentity = ({ readonly name: string } | { readonly arn: string }) & {
  /** @default STANDARD */
  readonly type?: MachineType;
  /** Shown in histories and the context object; nothing is checked against it. */
  readonly roleArn?: string;
  /** Kept and told; nothing is logged or traced here. @default - off */
  readonly loggingConfiguration?: LoggingRequest;
  readonly tracingConfiguration?: TracingConfiguration;
};

/** Where machines without an ARN of their own live. */
export interface Home {
  readonly partition: string;
  readonly region: string;
  readonly account: string;
}

/** The state machines with their versions, aliases and tags. Operations on them are functions in `catalogue/`. */
export class Machines {
  readonly #entries = new Map<string, MachineEntry>();
  readonly services: ServiceTable;
  readonly home: Home;
  readonly #changed: () => void;

  /** `changed` is called after each change, before the operation answers. */
  constructor(services: ServiceTable, home: Home, changed: () => void = () => undefined) {
    this.services = services;
    this.home = home;
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
    const known = this.#entries.get(arn)?.machine;
    if (known?.definitionText === definitionText) return known;
    if (known) throw new StatesError('StateMachineAlreadyExists', `State Machine Already Exists: '${arn}'`);
    const type = identity.type ?? 'STANDARD';
    const name = arn.split(':')[6] ?? '';
    const machine: RegisteredMachine = {
      definition: requireDefinition(definitionText, type, this.services),
      arn,
      name,
      roleArn: identity.roleArn ?? `arn:${this.home.partition}:iam::${this.home.account}:role/${name}`,
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
    return this.entry(arn).machine;
  }

  /** @throws StatesError `InvalidArn`, `StateMachineDoesNotExist`. */
  entry(arn: string): MachineEntry {
    const entry = this.#entries.get(arn);
    if (entry) return entry;
    requireMachineArn(arn);
    return missing(arn);
  }

  /** The entry that an ARN belongs to, with or without a qualifier. */
  find(arn: string): MachineEntry | undefined {
    return this.#entries.get(splitMachineArn(arn).machineArn);
  }

  /**
   * What an ARN of a machine, a version or an alias stands for now. `random` draws in [0, 1) for an alias that routes
   * to two versions.
   *
   * @throws StatesError `InvalidArn`, `StateMachineDoesNotExist`.
   */
  resolve(arn: string, random: () => number): MachineChoice {
    // Most requests name the machine itself; an ARN that is known needs no reading.
    const unqualified = this.#entries.get(arn);
    if (unqualified) return { machine: unqualified.machine };
    requireMachineArn(arn);
    const { qualifier } = splitMachineArn(arn);
    const entry = this.find(arn) ?? missing(arn);
    if (qualifier === undefined) return { machine: entry.machine };
    const alias = entry.aliases.find(({ name }) => name === qualifier);
    const versionArn = alias ? chooseByWeight(alias.routingConfiguration, random) : arn;
    const version = entry.versions.find(({ number }) => versionArnOf(entry, number) === versionArn);
    if (!version) return missing(arn);
    const { machine } = version;
    return alias ? { machine, versionArn, aliasArn: aliasArnOf(entry, alias.name) } : { machine, versionArn };
  }

  /** All machines, in the order of their registration. */
  list(): readonly RegisteredMachine[] {
    return [...this.#entries.values()].map(entry => entry.machine);
  }

  /** The machines with all that belongs to them, in the order of their registration. */
  entries(): readonly MachineEntry[] {
    return [...this.#entries.values()];
  }

  /** Takes over entries that were kept; nobody is told of a change. */
  load(entries: readonly MachineEntry[]): void {
    for (const entry of entries) this.#entries.set(entry.machine.arn, entry);
  }

  /** Puts an entry in the place of the one with its ARN. */
  put(entry: MachineEntry): void {
    this.#entries.set(entry.machine.arn, entry);
    this.#changed();
  }

  /** Forgets a machine with its versions, aliases and tags. One that does not exist is fine. */
  delete(arn: string): void {
    if (this.#entries.delete(arn)) this.#changed();
  }

  /** @throws StatesError `InvalidArn`, `InvalidName`. */
  arnOf(identity: { readonly name: string } | { readonly arn: string }): string {
    if ('arn' in identity) {
      requireMachineArn(identity.arn);
      return identity.arn;
    }
    requireNameLength(identity.name);
    requireNameCharacters(identity.name);
    const { partition, region, account } = this.home;
    return `arn:${partition}:states:${region}:${account}:stateMachine:${identity.name}`;
  }
}

function missing(arn: string): never {
  throw new StatesError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${arn}'`);
}
