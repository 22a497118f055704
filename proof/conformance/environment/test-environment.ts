import type { Json, JsonObject } from '@onceflow/local';
import type { ServiceRoute } from '../../../packages/local/api/exchange';
import type { Service } from '../../../packages/local/runtime/calls/service';
import { Activities } from '../../../packages/local/runtime/catalogue/activities';
import { createActivity } from '../../../packages/local/runtime/catalogue/activity-operations';
import type { Catalogue } from '../../../packages/local/runtime/catalogue/catalogue';
import { MachineRegistry } from '../../../packages/local/runtime/catalogue/machine-registry';
import type { Recorded } from '../../../packages/local/runtime/executor/ports';
import { seededIds } from '../../../packages/local/runtime/ids';
import { Runtime } from '../../../packages/local/runtime/runtime';
import { stateTester } from '../../../packages/local/runtime/test-state/state-tester';
import { VirtualClock } from '../../../packages/local/runtime/time/virtual-clock';
import { WorkTracker } from '../../../packages/local/runtime/time/work-tracker';
import type { Database } from '../../../packages/local/services/dynamodb/database/database';
import { askingIn } from '../../../packages/local/services/dynamodb/http';
import { dynamoDbIntegrations } from '../../../packages/local/services/dynamodb/integrations';
import { openDatabase } from '../../../packages/local/services/dynamodb/service';
import { createEventBuses } from '../../../packages/local/services/events/buses';
import { eventsIntegrations } from '../../../packages/local/services/events/integrations';
import type { EventRule } from '../../../packages/local/services/events/rules';
import { lambdaIntegrations } from '../../../packages/local/services/lambda/integrations';
import { Buckets } from '../../../packages/local/services/s3/buckets';
import { s3Integrations } from '../../../packages/local/services/s3/integrations';
import { snsIntegrations } from '../../../packages/local/services/sns/integrations';
import { sqsIntegrations } from '../../../packages/local/services/sqs/integrations';
import { Queues } from '../../../packages/local/services/sqs/queues';
import { statesRoute } from '../../../packages/local/services/states/api/route';
import { ExecutionLog } from '../../../packages/local/services/states/execution-log';
import { statesIntegrations } from '../../../packages/local/services/states/integrations';
import { runtimeApi } from '../../../packages/local/services/states/runtime-api';
import type { CaseBase } from '../cases/recorded-case';
import { type References, resolveReferences } from '../cases/references';
import { recordedFunctions } from './functions';
import {
  activityName,
  bucketName,
  ENVIRONMENT,
  functionArn,
  logGroupArn,
  machineArn,
  queueName,
  referencesOf,
  START_MS,
  tableName,
} from './names';
import { topicsOf } from './topics';
import { startWorkerMachines, workersOf } from './workers';

/** A local account with nothing in it but what a case needs, on a clock that stands until it is moved. */
export interface TestEnvironment {
  readonly runtime: Runtime;
  readonly clock: VirtualClock;
  readonly references: References;
  /** What the API's endpoint answers: Step Functions, the only service that cases call. */
  readonly routes: readonly ServiceRoute[];
  readonly queues: Queues;
  /** What the machines of the case have logged. */
  readonly executionLog: ExecutionLog;
  /** The ARNs of its log groups. */
  readonly logGroups: readonly string[];
  /** Lets the workers of the case do their pending work; true if there was any. */
  work(): Promise<boolean>;
  newRequestId(): string;
  /** What broke in the engine or in a service, in words. */
  readonly problems: readonly string[];
  report(problem: Error): void;
  /** Fires when the case has run out of time: pending waits end. */
  readonly signal: AbortSignal;
  /** Has something closed together with the environment, before it. */
  defer(close: () => Promise<void>): void;
  /** Lets everything go; once is enough. */
  close(): Promise<void>;
}

/**
 * Sets up what a case needs. Ids come from a seed: the same case gives the same answers in every run. The environment
 * closes automatically when the signal fires.
 */
export async function openTestEnvironment(recorded: CaseBase, signal: AbortSignal): Promise<TestEnvironment> {
  const references = referencesOf(recorded);
  const clock = new VirtualClock(START_MS);
  const work = new WorkTracker();
  const ids = seededIds(recorded.name);
  const problems: string[] = [];
  const newRequestId = ids.fork('requests').uuid;
  const dynamoDb = await openDynamoDb(recorded);

  const functions = recordedFunctions(
    new Map(Object.entries(recorded.lambdas).map(([id, spec]) => [functionArn(id), spec])),
    { clock, work, newRequestId },
  );
  const queues = queuesOf(recorded, clock, ids.fork('messages').uuid);
  const rules = eventRulesOf(recorded, references);
  const eventBuses = eventBusesOf(rules, { queues, clock, newId: ids.fork('events').uuid });
  const answers = { newRequestId, now: () => clock.now() };
  const topics = topicsOf(recorded, { ...answers, queues, references, newId: ids.fork('topics').uuid });
  const services = new Map<string, Service>([
    ...dynamoDbIntegrations(askingIn(dynamoDb, newRequestId)),
    ...lambdaIntegrations(functions, answers),
    ...eventsIntegrations(eventBuses.putEvents),
    ...sqsIntegrations(queues, answers),
    ...snsIntegrations(topics, answers),
    ...s3Integrations(bucketsOf(recorded, clock, references), newRequestId),
  ]);
  const machines = new MachineRegistry(services, ENVIRONMENT);
  const report = (problem: Error) => void problems.push(describeProblem(problem));
  const activities = new Activities();
  const catalogue = { machines, activities, clock, ids: ids.fork('catalogue') };
  const own = { ids: ids.fork('executions'), environment: ENVIRONMENT, machines, activities, report };
  const executionLog = new ExecutionLog();
  const hear = (happened: Recorded) => executionLog.record(happened);
  const runtime = new Runtime({ ...own, clock, work, services, recorded: hear });
  for (const [resource, integration] of statesIntegrations(runtimeApi(runtime, catalogue), answers)) {
    services.set(resource, integration);
  }
  const testState = stateTester({ clock, work, services, report, machines, ids: ids.fork('tests') });
  const closings: (() => Promise<void>)[] = [async () => runtime.close()];
  const environment: TestEnvironment = {
    runtime,
    clock,
    references,
    routes: [statesRoute({ runtime, catalogue, testState })],
    queues,
    executionLog,
    logGroups: Object.keys(recorded.logGroups).map(logGroupArn),
    newRequestId,
    work: workersOf(recorded, { runtime, clock, work, queues, references }),
    problems,
    report,
    signal,
    defer: close => void closings.push(close),
    async close() {
      signal.removeEventListener('abort', end);
      for (let close = closings.pop(); close; close = closings.pop()) await close();
    },
  };
  const end = () => void environment.close();
  signal.addEventListener('abort', end);
  try {
    createActivities(catalogue, recorded);
    registerOthers(environment, recorded);
    await startWorkerMachines(recorded, environment);
  } catch (error) {
    await environment.close();
    throw error;
  }
  return environment;
}

function eventBusesOf(
  rules: readonly EventRule[],
  {
    queues,
    clock,
    newId,
  }: { readonly queues: Queues; readonly clock: VirtualClock; readonly newId: () => string },
) {
  const deliveries = {
    deliver: async (target: { readonly arn: string }, input: string) => queues.send(target.arn, input),
    discard: () => undefined,
    written: async () => undefined,
  };
  return createEventBuses({ buses: [], rules, deliveries, clock, newId, ...ENVIRONMENT });
}

function createActivities(catalogue: Catalogue, { activities }: CaseBase): void {
  for (const [id, { deletedBeforeStart }] of Object.entries(activities)) {
    if (!deletedBeforeStart) createActivity(catalogue, { name: activityName(id) });
  }
}

function queuesOf({ queues }: CaseBase, clock: VirtualClock, newId: () => string): Queues {
  const made = new Queues({ ...ENVIRONMENT, now: () => clock.now(), newId });
  for (const [id, { deletedBeforeStart }] of Object.entries(queues)) {
    if (!deletedBeforeStart) made.create(queueName(id));
  }
  return made;
}

/** The buckets of a case with the objects that were put into them before it. */
function bucketsOf({ buckets, setup }: CaseBase, clock: VirtualClock, references: References): Buckets {
  const made = new Buckets({ now: () => clock.now() });
  for (const id of Object.keys(buckets)) made.create(bucketName(id));
  for (const { service, op, request } of setup) {
    if (service !== 's3' || op !== 'PutObject') continue;
    const { Bucket, Key, Body } = resolveReferences(request, references) as Record<string, unknown>;
    const isBytes = typeof Body === 'object' && Body !== null && '@bytes' in Body;
    const body = isBytes ? Buffer.from(String(Body['@bytes']), 'latin1') : Buffer.from(String(Body));
    const headers = { 'content-type': 'binary/octet-stream' };
    made.put(String(Bucket), String(Key), { body, headers, metadata: {} });
  }
  return made;
}

function registerOthers({ runtime, references }: TestEnvironment, { stateMachines }: CaseBase): void {
  for (const [id, { definition, type, deletedBeforeStart }] of Object.entries(stateMachines)) {
    if (deletedBeforeStart) continue;
    const text = JSON.stringify(resolveReferences(definition, references));
    runtime.register(text, { arn: machineArn(id), ...(type && { type }) });
  }
}

function describeProblem(problem: Error): string {
  const { cause } = problem;
  const reason =
    typeof cause === 'object' && cause !== null && 'message' in cause ? `: ${cause.message}` : '';
  return `${problem.message}${reason}`;
}

/** The rules on the default bus that a case's workers stand for. Targets are queues, named as the case names them. */
function eventRulesOf(recorded: CaseBase, references: References): EventRule[] {
  return recorded.workers
    .filter(({ behaviour }) => behaviour === 'eventBridgeRuleToQueue')
    .map(({ eventPattern, queue }, index) => ({
      arn: `arn:aws:events:${ENVIRONMENT.region}:${ENVIRONMENT.account}:rule/rule-${index}`,
      name: `rule-${index}`,
      eventBusName: 'default',
      pattern: resolveReferences(eventPattern, references) as Json,
      enabled: true,
      targets: [{ id: 'queue', arn: String(resolveReferences(queue, references)) }],
    }));
}

/** A DynamoDB of the case's own, with its tables and what is in them. */
async function openDynamoDb({ tables }: CaseBase): Promise<Database> {
  const creations = Object.entries(tables).map(([id, { KeySchema, AttributeDefinitions }]) => ({
    TableName: tableName(id),
    KeySchema: [...KeySchema],
    AttributeDefinitions: [...AttributeDefinitions],
    BillingMode: 'PAY_PER_REQUEST' as const,
  }));
  const database = await openDatabase(creations, { ...ENVIRONMENT, now: Date.now });
  for (const [id, { items = [] }] of Object.entries(tables)) {
    for (const Item of items as JsonObject[]) {
      await database.perform('PutItem', { TableName: tableName(id), Item });
    }
  }
  return database;
}
