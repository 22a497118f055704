import { RequestError } from '../../../api/errors';
import type { WhenGone } from '../../../api/exchange';
import { checkRequest, type RequestOf, type Shape } from '../../../api/request-schema';
import type { Json, JsonObject } from '../../../json/json';
import type { Catalogue } from '../../../runtime/catalogue/catalogue';
import { StatesError } from '../../../runtime/requests/errors';
import type { Runtime } from '../../../runtime/runtime';
import type { TestState } from '../../../runtime/test-state/state-tester';

/** What the operations of Step Functions work on. */
export interface StatesBackend {
  readonly runtime: Runtime;
  readonly catalogue: Catalogue;
  readonly testState: TestState;
  /** Resolves when all changes of the catalogue so far will outlive the process. @default - at once */
  readonly written?: () => Promise<void>;
}

/**
 * One operation: answers a request's body with the answer's, times in epoch milliseconds. A waiting operation learns by
 * `whenGone` that its caller no longer waits for the answer.
 */
export type Operation = (backend: StatesBackend, request: Json, whenGone?: WhenGone) => Promise<object>;

/** The operations of one group, by name. */
export type Operations = { readonly [name: string]: Operation };

/**
 * An operation whose requests are checked against the service's model before it sees them.
 *
 * @throws StatesError `ValidationException` from the operation, for members outside their bounds; RequestError
 * `SerializationException` for members of another type.
 */
export function operation<const S extends Shape>(
  shape: S,
  perform: (backend: StatesBackend, request: RequestOf<S>, whenGone?: WhenGone) => object | Promise<object>,
): Operation {
  return async (backend, given, whenGone) => {
    const checked = checkRequest(shape, given);
    switch (checked.kind) {
      case 'request':
        return perform(backend, checked.request, whenGone);
      case 'unreadable':
        throw new RequestError('SerializationException', checked.message);
      case 'invalid':
        throw new StatesError('ValidationException', checked.message);
      default:
        return checked satisfies never;
    }
  };
}

/** The answer of operations that have none. */
export const NOTHING: JsonObject = {};
