import { Coverage, ExploreError } from './kernel/index';
import type { TableRequest } from './requests';
import type { ModelState } from './state';
import type { ModelStep } from './steps';
import { endOf } from './trace-text';

/** What a search has met: without that, a search that found nothing says nothing. */
export class SearchCoverage extends Coverage {
  readonly #withKey = new Set<string>();
  readonly #withoutKey = new Map<string, TableRequest>();
  #hasRunAlone = false;
  #failure: string | undefined;

  addStep({ entered, request }: ModelStep): void {
    this.add(entered);
    if (!request) return;
    if (request.givenInstead === undefined) this.#withKey.add(request.table);
    else if (!this.#withoutKey.has(request.table)) this.#withoutKey.set(request.table, request);
  }

  /** An execution that is alone and without a fault does what the workflow is for. */
  addState({ faults, executions }: ModelState): void {
    const [first, another] = executions;
    if (faults > 0 || !first || another || first.execution.status === 'RUNNING') return;
    const { end, redriveCount } = first.execution;
    if (redriveCount > 0) return;
    if (DATA_ERRORS.has(end?.error ?? '')) this.#failure ??= endOf(first.execution);
    else this.#hasRunAlone = true;
  }

  /** @throws ExploreError if the search found nothing because its subject cannot work as it is given */
  requireSome(): void {
    for (const [table, { stateName, key, givenInstead }] of this.#withoutKey) {
      if (this.#withKey.has(table)) continue;
      throw new ExploreError(
        `no request of the table ${table} has its key ${key}, as DynamoDB demands: ` +
          `the state "${stateName}" gives ${givenInstead}. Declare the keys that the table has${OR_ELSE}`,
      );
    }
    if (this.#failure === undefined || this.#hasRunAlone) return;
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
  // A request that DynamoDB rejects as invalid, by its integration and by that of the SDK.
  'DynamoDB.AmazonDynamoDBException',
  'DynamoDb.DynamoDbException',
]);
