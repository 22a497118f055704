import type { Definition } from '../asl/definition';
import { ExploreError } from './explore-error';
import type { ModelState } from './model';
import type { Move } from './moves';
import type { TableRequest } from './requests';
import { endOf } from './story';

/** What a search has come by: of a yes, whether there was anything that it could have said no to. */
export class Coverage {
  readonly #entered = new Set<string>();
  readonly #withKey = new Set<string>();
  readonly #withoutKey = new Map<string, TableRequest>();
  #isPlainWay = false;
  #failure: string | undefined;

  addMove({ entered, request }: Move): void {
    for (const name of entered) this.#entered.add(name);
    if (!request) return;
    if (request.givenInstead === undefined) this.#withKey.add(request.table);
    else if (!this.#withoutKey.has(request.table)) this.#withoutKey.set(request.table, request);
  }

  /** What comes of an execution by itself, without a fault, is what the workflow is there for. */
  addState({ faults, runs }: ModelState): void {
    const [run, another] = runs;
    if (faults > 0 || !run || another || run.execution.status === 'RUNNING') return;
    const { end, redriveCount } = run.execution;
    if (redriveCount > 0) return;
    if (DATA_ERRORS.has(end?.error ?? '')) this.#failure ??= endOf(run.execution);
    else this.#isPlainWay = true;
  }

  /** The names of the states that no execution has entered, in the order of the definition. */
  neverEntered({ states }: Definition): readonly string[] {
    return [...states.keys()].filter(name => !this.#entered.has(name));
  }

  /** @throws ExploreError where a search has found nothing because its subject cannot work as it is given */
  requireSome(): void {
    for (const [table, { stateName, key, givenInstead }] of this.#withoutKey) {
      if (this.#withKey.has(table)) continue;
      throw new ExploreError(
        `no request of the table ${table} has its key ${key}, as DynamoDB demands: ` +
          `the state "${stateName}" gives ${givenInstead}. Declare the keys that the table has${OR_ELSE}`,
      );
    }
    if (this.#failure === undefined || this.#isPlainWay) return;
    throw new ExploreError(
      'every execution that ran alone failed without a fault, so there was little to find; fix the ' +
        'definition, or give `inputs`, and `effects` that answer, with which it works' +
        `${OR_ELSE}:\n  ${this.#failure}`,
    );
  }
}

const OR_ELSE = '; if this is intended, pass `mayBeEmpty: true`';

/** How executions fail whose data are not what the definition takes them for. */
const DATA_ERRORS: ReadonlySet<string> = new Set([
  'States.Runtime',
  'States.QueryEvaluationError',
  'States.ParameterPathFailure',
  'States.ResultPathMatchFailure',
  'States.IntrinsicFailure',
  'States.NoChoiceMatched',
]);
