import { isoTime } from '../../../packages/local/language/index';
import type { Item } from '../../../packages/local/services/dynamodb/table/attribute-value';
import type { ModelState } from '../model/model-state';
import type { StateSpace } from '../model/state-space';
import { type Step, silent } from './step';
import { expiryOf } from './time';

/** The name of a state machine that has the same scope on the same table. */
const ANOTHER = 'AnotherWorkflow';
/** The account of one that has the workflow's own name. */
const ANOTHER_ACCOUNT = '999999999999';

/** For how long its record counts when it has finished, milliseconds. */
const RETENTION_MS = 24 * 60 * 60 * 1000;

/** Whether a record is another workflow's, or in the form of a later version. */
export function isOfAnotherWorkflow(record: Item | undefined): boolean {
  if (record?.['form']) return true;
  const [, , , , account, , name] = String(record?.['owner']?.['S']).split(':');
  return name === ANOTHER || account === ANOTHER_ACCOUNT;
}

/**
 * Faults: another workflow on the same scope claims the key when no clock sees a record that counts. It may have
 * finished since. It may also have the same name in another account. With a third version deployed before: that version
 * has finished the key, and its record has a form that this version does not know.
 */
export function anotherWorkflowClaims(space: StateSpace, model: ModelState): Step[] {
  const { claim } = space;
  const counts = space.recordOf(model) && (expiryOf(space, model) ?? Infinity) > model.now - model.skewMs;
  if (!claim || counts) return [];
  const [arn, partition, service, region, account, kind, name] = String(claim['owner']?.['S']).split(':');
  const owned = (by: string | undefined, named: string | undefined) => ({
    S: [arn, partition, service, region, by, kind, named, 'order-7'].join(':'),
  });
  const claimed: Item = {
    ...claim,
    owner: owned(ANOTHER_ACCOUNT, name),
    claimedAt: { S: isoTime(model.now) },
    claimId: { S: 'of another workflow' },
  };
  const { leaseExpiry: _, ...finished } = claimed;
  const completed: Item = {
    ...finished,
    owner: owned(account, ANOTHER),
    status: { S: 'COMPLETED' },
    result: { S: '{"refund":1}' },
    finishedAt: { S: isoTime(model.now) },
    expiry: { N: String(Math.floor((model.now + RETENTION_MS) / 1000)) },
  };
  const others = [
    written(space, model, 'another', completed),
    written(space, model, 'another:claims', claimed),
  ];
  if (!space.subject.former) return others;
  const later: Item = {
    ...completed,
    owner: owned(account, name),
    payloadHash: { S: 'in another form' },
    form: { N: '2' },
  };
  return [...others, written(space, model, 'another:version', later)];
}

function written(space: StateSpace, model: ModelState, name: string, item: Item): Step {
  const table = space.withRecord(model.table, item);
  const tableBefore = space.asTableBefore(model.table);
  return silent(name, { ...model, table, tableBefore, faults: model.faults - 1 });
}
