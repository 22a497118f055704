export type { ImportedResource } from './assembly/imported';
export type { NotRunResource } from './assembly/not-run';
export type { NamedResource } from './assembly/read-resources';
export { deliverEvent, type LocalEvent } from './deliver-event';
export type { Json, JsonObject } from './json/json';
export { type Assembly, readAssembly } from './load-assembly';
export { LocalError, type LocalErrorCode } from './local-error';
export type { LocalOptions } from './local-options';
export type { Divergence } from './replay/divergence';
export {
  type ReplayFacts,
  type ReplayOptions,
  type ReplayReport,
  replayHistory,
} from './replay/replay-history';
export type { Interceptor, ServiceCall, ServiceResult } from './runtime/calls/service';
export { advanceBy, runToEnd } from './runtime/drive';
export type { ExecutionDescription } from './runtime/executions/descriptions';
export type { ExpressOutcome } from './runtime/executions/express-outcomes';
export { StatesError } from './runtime/requests/errors';
export type { Runtime } from './runtime/runtime';
export type { Clock } from './runtime/time/clock';
export { VirtualClock } from './runtime/time/virtual-clock';
export { WorkTracker } from './runtime/time/work-tracker';
export type { ServedStage } from './services/api-gateway/service';
export type { DeliveryResult, Publication } from './services/events/buses';
export type { CustomPutEventsResponse } from './services/events/custom/buses';
export type { CustomPutEventsRequest } from './services/events/custom/request';
export type { EventEnvelope } from './services/events/event';
export type { Schedules } from './services/events/schedules';
export type {
  DeliveryAttempt,
  DeliveryInterceptor,
  FunctionInvocation,
  HttpPrincipal,
  MetricDatum,
} from './services/local-service';
export type { Message, MessageAttributes, ReceivedMessage } from './services/message-queues';
export type { QueueCounts } from './services/sqs/queue';
export type { Queues } from './services/sqs/queues';
export type { LogEvent } from './services/states/execution-log';
export { requirePort } from './start-endpoint';
export { type LocalResource, type LocalStack, startLocal } from './start-local';
export type { HttpAnswer, TestDelivery } from './testing/delivery';
export type { FailureOptions, FaultOptions } from './testing/fault-options';
export type { Fault, Faults } from './testing/faults';
export type { ExecutionOutcome, RecordedCall } from './testing/recording';
export { type Outcome, startTestStack, type TestStack, type TestStackOptions } from './testing/test-stack';
