import { type Api, type ApiOptions, startApi } from '../../api/server';
import type { Json } from '../../json/json';
import type { ServiceTable } from '../../runtime/calls/service';
import { Activities } from '../../runtime/catalogue/activities';
import { MachineRegistry } from '../../runtime/catalogue/machine-registry';
import { seededIds } from '../../runtime/ids';
import { Runtime } from '../../runtime/runtime';
import { stateTester } from '../../runtime/test-state/state-tester';
import { VirtualClock } from '../../runtime/time/virtual-clock';
import { Database } from '../../services/dynamodb/database/database';
import { databaseRoute } from '../../services/dynamodb/in-process';
import { eventsRoute } from '../../services/events/api';
import { createEventBuses, type EventBuses } from '../../services/events/buses';
import { lambdaRoute } from '../../services/lambda/api';
import { createLambdaFunctions, type LambdaFunctions } from '../../services/lambda/functions';
import { sqsRoute } from '../../services/sqs/api/route';
import { Queues } from '../../services/sqs/queues';
import { statesRoute } from '../../services/states/api/route';

/** When every world begins: a time with milliseconds, so that they show on the wire. */
export const START = Date.UTC(2026, 0, 1) + 123;

/** An endpoint with a virtual clock behind it. */
export interface ApiWorld {
  readonly api: Api;
  readonly clock: VirtualClock;
  readonly runtime: Runtime;
  /** The reports of broken connections. */
  readonly problems: readonly string[];
  close(): Promise<void>;
}

/** What a world is made of. */
export interface WorldOptions extends Partial<ApiOptions> {
  readonly services?: ServiceTable;
  readonly functions?: LambdaFunctions;
  readonly eventBuses?: EventBuses;
  readonly dynamoDb?: Database;
}

const ENVIRONMENT = { region: 'us-east-1', account: '111111111111' };

/** Opens an endpoint on a free port. */
export async function openApi(options: WorldOptions = {}): Promise<ApiWorld> {
  const clock = new VirtualClock(START);
  const ids = seededIds('api');
  const problems: string[] = [];
  const report = (problem: Error) => problems.push(problem.message);
  const machines = new MachineRegistry(options.services ?? new Map(), { partition: 'aws', ...ENVIRONMENT });
  const activities = new Activities();
  const runtime = new Runtime({ clock, ids, machines, activities, services: machines.services, report });
  const deliveries = {
    deliver: () => Promise.reject(new Error('no target')),
    discard: () => undefined,
    written: async () => undefined,
  };
  const events = { buses: [], rules: [], deliveries, clock, newId: ids.uuid, ...ENVIRONMENT };
  const functions = options.functions ?? createLambdaFunctions({ functions: [] });
  const queues = new Queues({ ...ENVIRONMENT, now: () => clock.now(), newId: ids.uuid });
  const dynamoDb = options.dynamoDb ?? new Database({ ...ENVIRONMENT, now: () => clock.now() });
  const { work } = runtime;
  const testState = stateTester({ clock, report, ids, work, services: machines.services, machines });
  const catalogue = { machines, activities, clock, ids };
  const routes = [
    databaseRoute(dynamoDb),
    sqsRoute({ queues, clock }),
    lambdaRoute(functions),
    eventsRoute(options.eventBuses ?? createEventBuses(events)),
    statesRoute({ runtime, catalogue, testState }),
  ];
  const api = await startApi(routes, { newRequestId: ids.uuid, report, ...options });
  const close = async () => {
    await api.close();
    runtime.close();
    await functions.close();
  };
  return { api, clock, runtime, problems, close };
}

/** An answer as it came over the wire. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

/** Makes one call the way SDKs do, without one. */
export async function call(api: Api, target: string, body: unknown): Promise<WireAnswer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': target };
  const response = await fetch(api.endpoint, { method: 'POST', headers, body: text });
  const answer = await response.text();
  return { status: response.status, headers: response.headers, body: JSON.parse(answer) as Json };
}

/** The text of a JSONata machine that starts at its first state. */
export function textOf(states: { readonly [name: string]: Json }): string {
  return JSON.stringify({ QueryLanguage: 'JSONata', StartAt: Object.keys(states)[0], States: states });
}

export const ROLE = 'arn:aws:iam::111111111111:role/r';
