import { diagnosticsOf } from '../../../language/index';
import { checkDefinition } from '../../../runtime/catalogue/check-definition';
import { createStateMachine } from '../../../runtime/catalogue/create-machine';
import { deleteStateMachine } from '../../../runtime/catalogue/delete-machine';
import { describeRevision, describeStateMachine } from '../../../runtime/catalogue/describe-machine';
import { updateStateMachine } from '../../../runtime/catalogue/update-machine';
import { pageOf } from '../../../runtime/requests/pages';
import {
  ARN,
  DEFINITION,
  DESCRIPTION,
  FLAG,
  INCLUDED_DATA,
  LOGGING,
  NAME,
  OPTIONAL_ARN,
  PAGE_SIZE,
  PAGE_TOKEN,
  TAGS,
  TRACING,
  TYPE,
} from './fields';
import { NOTHING, type Operations, operation } from './operation';

/** Diagnostics that ValidateStateMachineDefinition gives at most, and when no number is asked for. */
const DIAGNOSTICS_MAX = 100;

/** Operations on state machines. */
export const MACHINE_OPERATIONS: Operations = {
  CreateStateMachine: operation(
    {
      name: NAME,
      definition: { ...DEFINITION, required: true },
      roleArn: ARN,
      type: TYPE,
      loggingConfiguration: LOGGING,
      tracingConfiguration: TRACING,
      tags: TAGS,
      publish: FLAG,
      versionDescription: DESCRIPTION,
    },
    ({ catalogue }, request) => createStateMachine(catalogue, request),
  ),

  UpdateStateMachine: operation(
    {
      stateMachineArn: ARN,
      definition: DEFINITION,
      roleArn: OPTIONAL_ARN,
      loggingConfiguration: LOGGING,
      tracingConfiguration: TRACING,
      publish: FLAG,
      versionDescription: DESCRIPTION,
    },
    ({ catalogue }, request) => updateStateMachine(catalogue, request),
  ),

  DeleteStateMachine: operation({ stateMachineArn: ARN }, ({ catalogue }, { stateMachineArn }) => {
    deleteStateMachine(catalogue, stateMachineArn);
    return NOTHING;
  }),

  DescribeStateMachine: operation(
    { stateMachineArn: ARN, includedData: INCLUDED_DATA },
    ({ catalogue }, { stateMachineArn, includedData }) =>
      withIncluded(describeStateMachine(catalogue, stateMachineArn), includedData),
  ),

  DescribeStateMachineForExecution: operation(
    { executionArn: ARN, includedData: INCLUDED_DATA },
    ({ runtime }, { executionArn, includedData }) =>
      withIncluded(describeRevision(runtime.choiceOf(executionArn)), includedData),
  ),

  ListStateMachines: operation({ maxResults: PAGE_SIZE, nextToken: PAGE_TOKEN }, ({ catalogue }, request) => {
    const { items, ...more } = pageOf(catalogue.machines.list(), request);
    const stateMachines = items.map(({ arn, name, type, creationDate }) => {
      return { stateMachineArn: arn, name, type, creationDate };
    });
    return { stateMachines, ...more };
  }),

  ValidateStateMachineDefinition: operation(
    {
      definition: { ...DEFINITION, required: true },
      type: TYPE,
      severity: { kind: 'text', values: ['ERROR', 'WARNING'] },
      maxResults: { kind: 'number', min: 0, max: DIAGNOSTICS_MAX },
    },
    // All results are errors, at every requested severity: a definition with one cannot be created.
    ({ catalogue }, { definition, type = 'STANDARD', maxResults = 0 }) => {
      const checked = checkDefinition(definition, type, catalogue.machines.services);
      const found = checked.kind === 'problems' ? diagnosticsOf(checked.problems) : [];
      const diagnostics = found.slice(0, maxResults || DIAGNOSTICS_MAX);
      const result = found.length === 0 ? 'OK' : 'FAIL';
      return { result, diagnostics, truncated: diagnostics.length < found.length };
    },
  ),
};

/** An answer without the definition, where only metadata was asked for. The service then leaves it empty. */
function withIncluded(
  answer: { readonly definition: string },
  includedData: 'ALL_DATA' | 'METADATA_ONLY' = 'ALL_DATA',
): object {
  return includedData === 'ALL_DATA' ? answer : { ...answer, definition: '' };
}
