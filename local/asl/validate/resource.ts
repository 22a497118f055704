import { isJsonObject } from '../json';
import type { Problems } from '../problems';
import { has, type RawMachine, type RawState } from '../raw';
import { parseIntegration } from '../resource';

// States Language, "Task State". Built here: request-response integrations. Activities, bare function ARNs,
// `.sync` and `.waitForTaskToken` are refused by name.

/** Checks what a Task calls and that the call has its required arguments. */
export function validateResources(machine: RawMachine, problems: Problems): void {
  for (const state of machine.states) {
    if (state.type === 'Task') checkTask(state, problems);
  }
}

/** Arguments without which an integration refuses to start. */
const REQUIRED: ReadonlyMap<string, readonly string[]> = new Map([
  ['lambda:invoke', ['FunctionName']],
  ['dynamodb:putItem', ['TableName', 'Item']],
  ['dynamodb:getItem', ['TableName', 'Key']],
  ['dynamodb:updateItem', ['TableName', 'Key']],
  ['dynamodb:deleteItem', ['TableName', 'Key']],
  ['states:startExecution', ['StateMachineArn']],
  ['sqs:sendMessage', ['QueueUrl', 'MessageBody']],
  ['events:putEvents', ['Entries']],
]);

function checkTask(state: RawState, problems: Problems): void {
  const arn = state.fields['Resource'];
  const location = `${state.location}/Resource`;
  if (arn === undefined) {
    problems.schema('These fields are required: [Resource]', state.location);
    return;
  }
  if (typeof arn !== 'string') return;
  const unsupported = unsupportedForm(arn);
  if (unsupported) {
    const message = `Resource ${arn}: ${unsupported} not supported by the local engine`;
    problems.add('NOT_SUPPORTED_LOCALLY', message, location);
    return;
  }
  const resource = parseIntegration(arn);
  if (!resource) {
    problems.schema('Value is not a valid resource ARN', location);
    return;
  }
  if (state.language === 'JSONata') checkArguments(state, resource.integration, problems);
}

function unsupportedForm(arn: string): string | undefined {
  if (/^arn:[^:]+:states:[^:]+:[^:]+:activity:/.test(arn)) return 'activities are';
  if (/^arn:[^:]+:lambda:/.test(arn)) return 'a bare function ARN (instead of lambda:invoke) is';
  const pattern = /\.(sync|waitForTaskToken)(:\d+)?$/.exec(arn)?.[0];
  return pattern === undefined ? undefined : `the '${pattern}' service integration is`;
}

function checkArguments(state: RawState, integration: string, problems: Problems): void {
  const { fields, location } = state;
  if (!has(fields, 'Arguments')) {
    problems.schema(`Arguments field is required for resource ARN: ${fields['Resource']}`, location);
    return;
  }
  const given = fields['Arguments'];
  // A computed argument object is known only when the state runs.
  if (!isJsonObject(given)) return;
  for (const name of REQUIRED.get(integration) ?? []) {
    if (!has(given, name)) {
      problems.schema(`The field '${name}' is required but was missing`, `${location}/Arguments`);
    }
  }
}
