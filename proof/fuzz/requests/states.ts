import { definition } from './definition';
import { oneOf } from './json';
import { type Body, type Operations, ownMachine, ownMachineName, someName, statesArn } from './known';

const roleArn = 'arn:aws:iam::111111111111:role/role';

const onMachine: Body = (random, known) => ({ stateMachineArn: ownMachine(random, known) });
const onVersion: Body = (random, known) => ({
  stateMachineVersionArn: `${ownMachine(random, known)}:${1 + Math.floor(random() * 3)}`,
});
const onAlias: Body = (random, known) => ({ stateMachineAliasArn: `${ownMachine(random, known)}:live` });
const onActivity: Body = (random, known) => ({
  activityArn: `${statesArn(known)}:activity:${someName(random)}`,
});
const onExecution: Body = (random, known) => ({ executionArn: oneOf(random, known.executions) });
const pageOfMachine: Body = (random, known) => ({ ...onMachine(random, known), maxResults: 2 });
const routing: Body = (random, known) => ({
  routingConfiguration: [{ stateMachineVersionArn: `${ownMachine(random, known)}:1`, weight: 100 }],
});
const onMapRun: Body = (random, known) => ({
  mapRunArn: `${statesArn(known)}:mapRun:${someName(random)}/l:${Math.floor(random() * 1e6)}`,
});
const onTask: Body = (random, known) => ({ taskToken: oneOf(random, known.taskTokens) });

/** The operations of Step Functions. */
export const STATES: Operations = {
  CreateStateMachine: (random, known) => {
    const type = oneOf(random, ['STANDARD', 'EXPRESS']);
    return { name: ownMachineName(random), definition: definition(random, known), roleArn, type };
  },
  UpdateStateMachine: (random, known) => {
    return { ...onMachine(random, known), definition: definition(random, known), publish: random() < 0.5 };
  },
  DeleteStateMachine: onMachine,
  DescribeStateMachine: onMachine,
  DescribeStateMachineForExecution: onExecution,
  ListStateMachines: () => ({ maxResults: 10 }),
  ValidateStateMachineDefinition: (random, known) => ({ definition: definition(random, known) }),
  PublishStateMachineVersion: (random, known) => ({ ...onMachine(random, known), description: 'd' }),
  ListStateMachineVersions: pageOfMachine,
  DeleteStateMachineVersion: onVersion,
  CreateStateMachineAlias: (random, known) => ({ name: 'live', ...routing(random, known) }),
  UpdateStateMachineAlias: (random, known) => ({ ...onAlias(random, known), ...routing(random, known) }),
  DescribeStateMachineAlias: onAlias,
  DeleteStateMachineAlias: onAlias,
  ListStateMachineAliases: pageOfMachine,
  TagResource: (random, known) => {
    return { resourceArn: ownMachine(random, known), tags: [{ key: 'k', value: 'v' }] };
  },
  UntagResource: (random, known) => ({ resourceArn: ownMachine(random, known), tagKeys: ['k'] }),
  ListTagsForResource: (random, known) => ({ resourceArn: ownMachine(random, known) }),
  CreateActivity: random => ({ name: someName(random) }),
  DescribeActivity: onActivity,
  DeleteActivity: onActivity,
  ListActivities: () => ({ maxResults: 10 }),
  GetActivityTask: onActivity,
  StartExecution: (random, known) => {
    const stateMachineArn = oneOf(random, known.stateMachines);
    return { stateMachineArn, name: `n-${Math.floor(random() * 1e6)}`, input: '{"a": 1}' };
  },
  StartSyncExecution: (random, known) => ({ ...onMachine(random, known), input: '{"a": 1}' }),
  DescribeExecution: onExecution,
  GetExecutionHistory: (random, known) => ({ ...onExecution(random, known), maxResults: 50 }),
  ListExecutions: (random, known) => ({
    stateMachineArn: oneOf(random, known.stateMachines),
    maxResults: 10,
  }),
  StopExecution: (random, known) => ({ ...onExecution(random, known), error: 'E', cause: 'c' }),
  RedriveExecution: onExecution,
  TestState: (random, known) => ({ definition: definition(random, known), input: '{"a": 1}' }),
  ListMapRuns: onExecution,
  DescribeMapRun: onMapRun,
  UpdateMapRun: (random, known) => ({ ...onMapRun(random, known), maxConcurrency: 2 }),
  SendTaskSuccess: (random, known) => ({ ...onTask(random, known), output: '{"done": true}' }),
  SendTaskFailure: (random, known) => ({ ...onTask(random, known), error: 'E', cause: 'c' }),
  SendTaskHeartbeat: onTask,
};
