import { withIncluded } from '../../../runtime/executions/descriptions';
import {
  ARN,
  CAUSE,
  DATA,
  DEFINITION,
  ERROR,
  FLAG,
  INCLUDED_DATA,
  OPTIONAL_ARN,
  OPTIONAL_NAME,
  PAGE_SIZE,
  PAGE_TOKEN,
  STATUS_FILTER,
} from './fields';
import { type Operations, operation } from './operation';

/** Operations on executions, and the test of one state. */
export const EXECUTION_OPERATIONS: Operations = {
  StartExecution: operation(
    { stateMachineArn: ARN, name: OPTIONAL_NAME, input: DATA, traceHeader: { kind: 'text', max: 256 } },
    ({ runtime }, request) => runtime.startExecution(request),
  ),

  StartSyncExecution: operation(
    {
      stateMachineArn: ARN,
      name: OPTIONAL_NAME,
      input: DATA,
      traceHeader: { kind: 'text', max: 256 },
      includedData: INCLUDED_DATA,
    },
    async ({ runtime }, { includedData, ...request }) =>
      withIncluded(await runtime.startSyncExecution(request), includedData),
  ),

  DescribeExecution: operation(
    { executionArn: ARN, includedData: INCLUDED_DATA },
    async ({ runtime }, { executionArn, includedData }) =>
      withIncluded(await runtime.describeExecution({ executionArn }), includedData),
  ),

  ListExecutions: operation(
    {
      stateMachineArn: OPTIONAL_ARN,
      statusFilter: STATUS_FILTER,
      maxResults: PAGE_SIZE,
      nextToken: { ...PAGE_TOKEN, max: 3096 },
      mapRunArn: { kind: 'text', min: 1, max: 2000 },
      redriveFilter: { kind: 'text', values: ['REDRIVEN', 'NOT_REDRIVEN'] },
    },
    ({ runtime }, request) => runtime.listExecutions(request),
  ),

  GetExecutionHistory: operation(
    {
      executionArn: ARN,
      maxResults: PAGE_SIZE,
      reverseOrder: FLAG,
      nextToken: PAGE_TOKEN,
      includeExecutionData: FLAG,
    },
    ({ runtime }, request) => runtime.getExecutionHistory(request),
  ),

  StopExecution: operation({ executionArn: ARN, error: ERROR, cause: CAUSE }, ({ runtime }, request) =>
    runtime.stopExecution(request),
  ),

  RedriveExecution: operation(
    {
      executionArn: ARN,
      clientToken: { kind: 'text', min: 1, max: 64, pattern: '[!-~]+' },
    },
    ({ runtime }, request) => runtime.redriveExecution(request),
  ),

  TestState: operation(
    {
      definition: { ...DEFINITION, required: true },
      roleArn: OPTIONAL_ARN,
      input: DATA,
      inspectionLevel: { kind: 'text', values: ['INFO', 'DEBUG', 'TRACE'] },
      revealSecrets: FLAG,
      variables: DATA,
      stateName: { kind: 'text', min: 1, max: 80, isSecret: true },
      mock: {
        kind: 'structure',
        members: {
          result: DATA,
          errorOutput: { kind: 'structure', members: { error: ERROR, cause: CAUSE } },
          fieldValidationMode: { kind: 'text', values: ['STRICT', 'PRESENT', 'NONE'] },
        },
      },
      context: DATA,
      stateConfiguration: {
        kind: 'structure',
        members: {
          retrierRetryCount: { kind: 'number', min: 0 },
          errorCausedByState: { kind: 'text', min: 1, max: 80, isSecret: true },
          mapIterationFailureCount: { kind: 'number', min: 0 },
          mapItemReaderData: DATA,
        },
      },
    },
    ({ testState }, request, whenGone) => testState(request, whenGone),
  ),
};
