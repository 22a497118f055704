import { type Execution, type Machine, type Signal, type Transition, transition } from '../../engine/index';
import type { Definition } from '../../language/index';
import { SHARED_THREADS } from '../../runtime/evaluation/thread-pool';
import { RuntimeTransitionContext } from '../../runtime/executor/transition-context';
import type { Ids } from '../../runtime/ids';
import { rejectionOf as rejectionOfItems } from '../../services/dynamodb/rejection';
import { rejectionOf as rejectionOfInvoke } from '../../services/lambda/arguments';
import { operationOf } from './requests';

/**
 * What rejects the parameters of calls: the services that every explored definition is made of. Of others nothing is
 * known here.
 */
const SERVICES = {
  get(integration: string) {
    if (integration === 'lambda:invoke') return { rejectionOf: rejectionOfInvoke };
    return operationOf(integration) === undefined ? undefined : { rejectionOf: rejectionOfItems };
  },
};

/** The clock stands still, so evaluations are waited for. */
const SOURCES = { evaluator: SHARED_THREADS, services: SERVICES };

/** What a signal makes of an execution at one moment, epoch milliseconds: by the engine that runs state machines. */
export function afterSignal(
  machine: Machine,
  execution: Execution,
  signal: Signal,
  { now, ids }: { readonly now: number; readonly ids: Ids },
): Transition {
  const clock = { now: () => now, at: () => () => undefined };
  return transition(
    machine,
    execution,
    signal,
    new RuntimeTransitionContext({ ...SOURCES, clock, ids }, () => ''),
  );
}

/** The names of the states that an execution has entered in a transition. */
export function enteredIn({ events }: Transition): readonly string[] {
  return events.flatMap(({ type, name }) =>
    name !== undefined && type.endsWith('StateEntered') ? [name] : [],
  );
}

/** Which states of a definition executions have entered. */
export class Coverage {
  readonly #entered = new Set<string>();

  add(names: readonly string[]): void {
    for (const name of names) this.#entered.add(name);
  }

  has(name: string): boolean {
    return this.#entered.has(name);
  }

  /** The names of the states that no execution has entered, in the order of the definition. */
  neverEntered({ states }: Definition): readonly string[] {
    return [...states.keys()].filter(name => !this.#entered.has(name));
  }
}
