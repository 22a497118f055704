import { BOOLEAN, list, NUMBER, number, oneOf, STRING, structure, text } from '../shape';

const EXECUTION_STATUS = oneOf('RUNNING', 'SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED', 'PENDING_REDRIVE');

const CLOUD_WATCH_EVENTS_EXECUTION_DATA_DETAILS = structure({ Included: BOOLEAN });

/** What operations answer, by the own model of the service. */
export const SFN = {
  startExecution: structure({ ExecutionArn: text({ min: 1, max: 256 }), StartDate: STRING }, [
    'ExecutionArn',
    'StartDate',
  ]),
  describeExecution: structure(
    {
      ExecutionArn: text({ min: 1, max: 256 }),
      StateMachineArn: text({ min: 1, max: 256 }),
      Name: text({ min: 1, max: 80 }),
      Status: EXECUTION_STATUS,
      StartDate: STRING,
      StopDate: STRING,
      Input: text({ max: 262144 }),
      InputDetails: CLOUD_WATCH_EVENTS_EXECUTION_DATA_DETAILS,
      Output: text({ max: 262144 }),
      OutputDetails: CLOUD_WATCH_EVENTS_EXECUTION_DATA_DETAILS,
      TraceHeader: text({ min: 0, max: 256 }),
      MapRunArn: text({ min: 1, max: 2000 }),
      Error: text({ min: 0, max: 256 }),
      Cause: text({ min: 0, max: 32768 }),
      StateMachineVersionArn: text({ min: 1, max: 256 }),
      StateMachineAliasArn: text({ min: 1, max: 256 }),
      RedriveCount: NUMBER,
      RedriveDate: STRING,
      RedriveStatus: oneOf('REDRIVABLE', 'NOT_REDRIVABLE', 'REDRIVABLE_BY_MAP_RUN'),
      RedriveStatusReason: text({ max: 262144 }),
    },
    ['ExecutionArn', 'StateMachineArn', 'Status', 'StartDate'],
  ),
  startSyncExecution: structure(
    {
      ExecutionArn: text({ min: 1, max: 256 }),
      StateMachineArn: text({ min: 1, max: 256 }),
      Name: text({ min: 1, max: 80 }),
      StartDate: STRING,
      StopDate: STRING,
      Status: oneOf('SUCCEEDED', 'FAILED', 'TIMED_OUT'),
      Error: text({ min: 0, max: 256 }),
      Cause: text({ min: 0, max: 32768 }),
      Input: text({ max: 262144 }),
      InputDetails: CLOUD_WATCH_EVENTS_EXECUTION_DATA_DETAILS,
      Output: text({ max: 262144 }),
      OutputDetails: CLOUD_WATCH_EVENTS_EXECUTION_DATA_DETAILS,
      TraceHeader: text({ min: 0, max: 256 }),
      BillingDetails: structure({
        BilledMemoryUsedInMB: number({ min: 0 }),
        BilledDurationInMilliseconds: number({ min: 0 }),
      }),
    },
    ['ExecutionArn', 'StartDate', 'StopDate', 'Status'],
  ),
  stopExecution: structure({ StopDate: STRING }, ['StopDate']),
  listExecutions: structure(
    {
      Executions: list(
        structure(
          {
            ExecutionArn: text({ min: 1, max: 256 }),
            StateMachineArn: text({ min: 1, max: 256 }),
            Name: text({ min: 1, max: 80 }),
            Status: EXECUTION_STATUS,
            StartDate: STRING,
            StopDate: STRING,
            MapRunArn: text({ min: 1, max: 2000 }),
            ItemCount: number({ min: 0 }),
            StateMachineVersionArn: text({ min: 1, max: 256 }),
            StateMachineAliasArn: text({ min: 1, max: 256 }),
            RedriveCount: NUMBER,
            RedriveDate: STRING,
          },
          ['ExecutionArn', 'StateMachineArn', 'Name', 'Status', 'StartDate'],
        ),
      ),
      NextToken: text({ min: 1, max: 3096 }),
    },
    ['Executions'],
  ),
  redriveExecution: structure({ RedriveDate: STRING }, ['RedriveDate']),
};
