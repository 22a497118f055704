import type { Definition } from '../asl/definition';
import { parseDefinition } from '../asl/parse';
import { describeProblems, type Problem } from '../asl/problems';
import type { Machine } from '../engine/execution';
import { requireMachineArn } from './arns';
import { StatesError } from './errors';
import { requireNameCharacters, requireNameLength } from './names';
import type { ServiceTable } from './service';

/** A state machine to register: by name in the runtime's own account and region, or by its whole ARN. */
export type MachineIdentity = ({ readonly name: string } | { readonly arn: string }) & {
  /** Only STANDARD is run. */
  readonly type?: 'STANDARD' | 'EXPRESS';
  /** Shown in histories and the context object; nothing is checked against it. */
  readonly roleArn?: string;
};

/** A machine with the text it was made of. */
export interface RegisteredMachine extends Machine {
  readonly definitionText: string;
  /** Epoch milliseconds. */
  readonly creationDate: number;
}

/** Where machines without an ARN of their own live. */
export interface Home {
  readonly partition: string;
  readonly region: string;
  readonly account: string;
}

/** The registered state machines. */
export class Machines {
  readonly #machines = new Map<string, RegisteredMachine>();
  readonly #services: ServiceTable;
  readonly #home: Home;

  constructor(services: ServiceTable, home: Home) {
    this.#services = services;
    this.#home = home;
  }

  /**
   * Registers a definition. The same text under the same ARN again changes nothing.
   *
   * @throws StatesError `InvalidDefinition` with every problem, `StateMachineAlreadyExists` for another text
   * under the same ARN, `InvalidName`, `InvalidArn`, `StateMachineTypeNotSupported`.
   */
  register(definitionText: string, identity: MachineIdentity, now: number): RegisteredMachine {
    if (identity.type === 'EXPRESS') {
      const message = 'The local runtime runs STANDARD state machines; EXPRESS is not supported';
      throw new StatesError('StateMachineTypeNotSupported', message);
    }
    const arn = this.#arnOf(identity);
    const known = this.#machines.get(arn);
    if (known?.definitionText === definitionText) return known;
    if (known) throw new StatesError('StateMachineAlreadyExists', `State Machine Already Exists: '${arn}'`);
    const definition = this.#parse(definitionText);
    const name = arn.split(':')[6] ?? '';
    const roleArn = identity.roleArn ?? `arn:${this.#home.partition}:iam::${this.#home.account}:role/${name}`;
    const machine = { definition, arn, name, roleArn, definitionText, creationDate: now };
    this.#machines.set(arn, machine);
    return machine;
  }

  /** @throws StatesError `InvalidArn`, `StateMachineDoesNotExist`. */
  get(arn: string): RegisteredMachine {
    requireMachineArn(arn);
    const machine = this.#machines.get(arn);
    if (machine) return machine;
    throw new StatesError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${arn}'`);
  }

  /** All machines, in the order of their registration. */
  list(): readonly RegisteredMachine[] {
    return [...this.#machines.values()];
  }

  #arnOf(identity: MachineIdentity): string {
    if ('arn' in identity) {
      requireMachineArn(identity.arn);
      return identity.arn;
    }
    requireNameLength(identity.name);
    requireNameCharacters(identity.name);
    const { partition, region, account } = this.#home;
    return `arn:${partition}:states:${region}:${account}:stateMachine:${identity.name}`;
  }

  #parse(text: string): Definition {
    const parsed = parseDefinition(text);
    const problems = parsed.kind === 'problems' ? parsed.problems : this.#unknownResources(parsed.definition);
    if (parsed.kind === 'definition' && problems.length === 0) return parsed.definition;
    throw new StatesError('InvalidDefinition', describeProblems(problems));
  }

  #unknownResources(definition: Definition): Problem[] {
    return [...definition.states.values()].flatMap(state => {
      if (state.kind !== 'task' || this.#services.has(state.resource.integration)) return [];
      const message =
        `The resource provided ${state.resource.arn} is not recognized. ` +
        'The value is not a valid resource ARN, or the resource is not available in this region.';
      return [{ code: 'SCHEMA_VALIDATION_FAILED', message, location: `/States/${state.name}/Resource` }];
    });
  }
}
