import { isJsonObject, type Json } from '../../../json/json';
import type { Resource } from '../definition';
import { expressStates } from '../distributed-map';
import type { Problems } from '../problems';
import { has, type RawMachine, type RawState } from '../raw';
import { parseResource } from '../resource';

// Task State: https://states-language.net/spec.html#task-state

/** What a definition is checked against beyond its text. */
export interface Rules {
  /** @default STANDARD */
  readonly type?: 'STANDARD' | 'EXPRESS';
  /** Whether an integration (`dynamodb:putItem`) can be called. @default - all can */
  readonly knows?: (integration: string) => boolean;
  /**
   * Whether no part of it runs as it stands, so that parts that this engine does not run are accepted. @default false
   */
  readonly isTested?: boolean;
}

/** Checks what a Task calls and that the call has its required arguments. */
export function validateResources(machine: RawMachine, problems: Problems, rules: Rules): void {
  const express = expressStates(machine);
  for (const state of machine.states) {
    if (state.type !== 'Task') continue;
    checkTask(state, problems, express.has(state) ? { ...rules, type: 'EXPRESS' } : rules);
  }
}

function checkTask(state: RawState, problems: Problems, rules: Rules): void {
  const arn = state.fields['Resource'];
  const location = `${state.location}/Resource`;
  checkCredentials(state, problems);
  if (arn === undefined) {
    problems.schema('These fields are required: [Resource]', state.location);
    return;
  }
  if (typeof arn !== 'string') return;
  const resource = parseResource(arn);
  if (!resource) {
    problems.schema('Value is not a valid resource ARN', location);
    return;
  }
  if (resource.pattern === 'activity') {
    if (rules.type === 'EXPRESS')
      problems.schema('Express state machine does not support Activity ARN', location);
    return;
  }
  if (rules.type === 'EXPRESS') checkExpress(resource, location, problems);
  checkKnown(resource, location, { problems, rules });
  checkArguments(state, resource, problems);
}

/** Express executions are too short to wait for something outside. The trailing space is the service's. */
function checkExpress({ pattern }: Resource, location: string, problems: Problems): void {
  const reject = (suffix: string) =>
    problems.schema(`Express state machine does not support '${suffix}' service integration`, location);
  if (pattern === 'sync') reject('.sync');
  if (pattern === 'callback') {
    problems.schema(
      `Express state machine does not support '.waitForTaskToken' service integration `,
      location,
    );
  }
}

/** Optimized services whose operations are all built here: another one of theirs does not exist. */
const COMPLETE = ['dynamodb', 'events', 'lambda', 'sqs', 'states'];

function checkKnown(
  { arn, integration, service, pattern }: Resource,
  location: string,
  { problems, rules }: { readonly problems: Problems; readonly rules: Rules },
): void {
  const hasCallback = pattern !== 'callback' || service !== 'dynamodb';
  if (hasCallback && (!rules.knows || rules.knows(integration))) return;
  // A mock may answer it.
  if (service.startsWith('aws-sdk:') || !COMPLETE.includes(service)) return;
  const message =
    `The resource provided ${arn} is not recognized. ` +
    'The value is not a valid resource ARN, or the resource is not available in this region.';
  problems.schema(message, location);
}

/** Arguments without which an integration does not start. */
const REQUIRED: ReadonlyMap<string, readonly string[]> = new Map([
  ['lambda:invoke', ['FunctionName']],
  ['dynamodb:putItem', ['TableName', 'Item']],
  ['dynamodb:getItem', ['TableName', 'Key']],
  ['dynamodb:updateItem', ['TableName', 'Key']],
  ['dynamodb:deleteItem', ['TableName', 'Key']],
  ['states:startExecution', ['StateMachineArn']],
  ['states:startExecution.sync', ['StateMachineArn']],
  ['states:startExecution.sync:2', ['StateMachineArn']],
  ['sqs:sendMessage', ['QueueUrl', 'MessageBody']],
  ['events:putEvents', ['Entries']],
]);

function checkArguments(state: RawState, resource: Resource, problems: Problems): void {
  const { fields, location, language } = state;
  if (resource.pattern === 'function') return;
  const field = language === 'JSONata' ? 'Arguments' : 'Parameters';
  const given: Json | undefined = fields[field];
  if (given === undefined) {
    problems.schema(`${field} field is required for resource ARN: ${resource.arn}`, location);
    return;
  }
  // A computed argument object is known only when the state runs.
  if (!isJsonObject(given)) return;
  for (const name of REQUIRED.get(resource.integration) ?? []) {
    const isThere = has(given, name) || (language === 'JSONPath' && has(given, `${name}.$`));
    if (!isThere) problems.schema(`The field '${name}' is required but was missing`, `${location}/${field}`);
  }
}

function checkCredentials({ fields, location }: RawState, problems: Problems): void {
  const credentials = fields['Credentials'];
  if (credentials === undefined) return;
  const credentialsLocation = `${location}/Credentials`;
  if (!isJsonObject(credentials)) problems.schema('Expected value of type Object', credentialsLocation);
  else if (!has(credentials, 'RoleArn') && !has(credentials, 'RoleArn.$')) {
    problems.schema("The field 'RoleArn' is required but was missing", credentialsLocation);
  }
}
