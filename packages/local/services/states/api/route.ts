import { JSON_1_0, jsonAnswer, parseBody } from '../../../api/aws-json';
import { RequestError } from '../../../api/errors';
import type { ServiceRoute } from '../../../api/exchange';
import { isJsonObject } from '../../../json/json';
import { ACTIVITY_OPERATIONS } from './activity-operations';
import { EXECUTION_OPERATIONS } from './execution-operations';
import { MACHINE_OPERATIONS } from './machine-operations';
import { MAP_RUN_OPERATIONS } from './map-run-operations';
import type { Operation, StatesBackend } from './operation';
import { TAG_OPERATIONS } from './tag-operations';
import { TASK_OPERATIONS } from './task-operations';
import { VERSION_OPERATIONS } from './version-operations';

/** Step Functions takes no larger request (service quota). */
const BODY_BYTES_MAX = 1_048_576;

const OPERATIONS: ReadonlyMap<string, Operation> = new Map(
  Object.entries({
    ...MACHINE_OPERATIONS,
    ...VERSION_OPERATIONS,
    ...TAG_OPERATIONS,
    ...ACTIVITY_OPERATIONS,
    ...EXECUTION_OPERATIONS,
    ...MAP_RUN_OPERATIONS,
    ...TASK_OPERATIONS,
  }),
);

/** Operations on machines, versions, aliases, tags and activities that change them. */
const CHANGES_CATALOGUE = /^(Create|Update(?!MapRun)|Delete|Publish|Tag|Untag)/;

/** Step Functions: `x-amz-target: AWSStepFunctions.<Operation>`. */
export function statesRoute(backend: StatesBackend): ServiceRoute {
  return {
    service: { title: 'Step Functions', signingName: 'states' },
    requests: { target: 'AWSStepFunctions' },
    blockingOperations: new Set(['StartSyncExecution', 'GetActivityTask', 'TestState']),
    bodyBytesMax: BODY_BYTES_MAX,
    async handle({ target, body, whenGone }) {
      const perform = OPERATIONS.get(target.operation);
      if (perform) {
        const answer = await perform(backend, parseBody(body), whenGone);
        if (CHANGES_CATALOGUE.test(target.operation)) await backend.written?.();
        return jsonAnswer(toWire(answer) as object, JSON_1_0);
      }
      const message = `Step Functions has no operation '${target.operation}'`;
      throw new RequestError('UnknownOperationException', message);
    },
  };
}

const MS_PER_SECOND = 1000;

/**
 * An answer with its times as the wire has them: epoch seconds with a fraction instead of epoch milliseconds.
 *
 * A time is a number in a member that ends in `Date`, or a history event's `timestamp`; data of executions is text, so
 * nothing of theirs is taken for one.
 */
function toWire(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(toWire);
  if (!isJsonObject(answer)) return answer;
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]) => {
      const isTime = typeof value === 'number' && (name.endsWith('Date') || name === 'timestamp');
      return [name, isTime ? value / MS_PER_SECOND : toWire(value)];
    }),
  );
}
