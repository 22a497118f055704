import { isJsonObject, type Json, type JsonObject, jsonOr } from '../../json/json';
import { RequestError } from './table/request-error';

/** What a statement of a policy denies to everybody. */
interface Denial {
  readonly actions: ReadonlySet<string>;
}

/** Carries out an operation on tables. @throws RequestError */
type Perform = (operation: string, request: Json) => Promise<JsonObject>;

/**
 * The policies of tables (`PutResourcePolicy`, `GetResourcePolicy`, `DeleteResourcePolicy`), in force at once: what a
 * statement denies is denied to state machines, too. That is how a test denies a table. Policies permit nothing
 * here, as nothing is forbidden without them: only statements that deny actions, by their names, to everybody are
 * taken. They are not written to the stack's directory.
 *
 * @param perform - the database
 * @returns the same with policies
 */
export function withResourcePolicies(perform: Perform): Perform {
  const policies = new Map<string, { readonly text: string; readonly denials: readonly Denial[] }>();

  const requirePermission = (operation: string, request: Json) => {
    for (const table of tablesIn(request)) {
      const action = `dynamodb:${operation}`;
      if (!policies.get(table)?.denials.some(({ actions }) => actions.has(action))) continue;
      throw new RequestError(
        `User is not authorized to perform: ${action} on resource: ${table} with an explicit deny in a resource-based policy`,
        'AccessDeniedException',
      );
    }
  };
  const policyOf = (request: JsonObject) => {
    const table = tableOf(request['ResourceArn']);
    return { table, policy: policies.get(table) };
  };

  return async (operation, request) => {
    const given = isJsonObject(request) ? request : {};
    switch (operation) {
      case 'PutResourcePolicy': {
        const { table } = policyOf(given);
        await perform('DescribeTable', { TableName: table });
        const text = String(given['Policy']);
        policies.set(table, { text, denials: denialsIn(text) });
        return { RevisionId: REVISION };
      }
      case 'GetResourcePolicy': {
        const { policy } = policyOf(given);
        if (!policy) throw new RequestError('Resource-based policy not found', 'PolicyNotFoundException');
        return { Policy: policy.text, RevisionId: REVISION };
      }
      case 'DeleteResourcePolicy':
        policies.delete(policyOf(given).table);
        return {};
      default:
        if (policies.size > 0) requirePermission(operation, request);
        return perform(operation, request);
    }
  };
}

const REVISION = '1';

const tableOf = (name: Json | undefined) => String(name).replace(/^arn:[^/]*:table\//, '');

/** The tables that a request names: itself, for a batch, or within a transaction. */
function tablesIn(request: Json): readonly string[] {
  if (!isJsonObject(request)) return [];
  const { TableName: own, RequestItems: batch, TransactItems: items } = request;
  if (own !== undefined) return [tableOf(own)];
  if (isJsonObject(batch)) return Object.keys(batch).map(tableOf);
  const within = Array.isArray(items) ? items.filter(isJsonObject).flatMap(Object.values<Json>) : [];
  return within.flatMap(tablesIn);
}

function denialsIn(text: string): readonly Denial[] {
  const policy = jsonOr(text, undefined);
  if (policy === undefined) throw new RequestError('Invalid policy document: it is not JSON');
  const { Statement: given = [] } = isJsonObject(policy) ? policy : {};
  return (Array.isArray(given) ? given : [given]).map(statement => {
    const { Effect, Principal, Action = [], Condition } = isJsonObject(statement) ? statement : {};
    const isForAll = Principal === '*' || (isJsonObject(Principal) && Principal['AWS'] === '*');
    const actions = (Array.isArray(Action) ? Action : [Action]).map(String);
    const isNamed = actions.length > 0 && actions.every(action => /^dynamodb:[A-Za-z]+$/.test(action));
    if (Effect !== 'Deny' || !isForAll || !isNamed || Condition !== undefined) {
      throw new RequestError(
        'the local DynamoDB takes only statements that deny actions, by their names, to everybody ("*")',
        'UnsupportedOperationException',
      );
    }
    return { actions: new Set(actions) };
  });
}
