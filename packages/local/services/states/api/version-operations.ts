import {
  createStateMachineAlias,
  deleteStateMachineAlias,
  describeStateMachineAlias,
  listStateMachineAliases,
  updateStateMachineAlias,
} from '../../../runtime/catalogue/aliases';
import {
  deleteStateMachineVersion,
  listStateMachineVersions,
  publishStateMachineVersion,
} from '../../../runtime/catalogue/versions';
import { pageOf } from '../../../runtime/requests/pages';
import { ALIAS_NAME, ARN, DESCRIPTION, PAGE_SIZE, PAGE_TOKEN, ROUTING } from './fields';
import { NOTHING, type Operations, operation } from './operation';

/** Operations on versions and aliases. */
export const VERSION_OPERATIONS: Operations = {
  PublishStateMachineVersion: operation(
    { stateMachineArn: ARN, revisionId: { kind: 'text' }, description: DESCRIPTION },
    ({ catalogue }, request) => publishStateMachineVersion(catalogue, request),
  ),

  ListStateMachineVersions: operation(
    { stateMachineArn: ARN, maxResults: PAGE_SIZE, nextToken: PAGE_TOKEN },
    ({ catalogue }, request) => {
      const { items, ...more } = pageOf(
        listStateMachineVersions(catalogue, request.stateMachineArn),
        request,
      );
      return { stateMachineVersions: items, ...more };
    },
  ),

  DeleteStateMachineVersion: operation(
    { stateMachineVersionArn: ARN },
    ({ catalogue }, { stateMachineVersionArn }) => {
      deleteStateMachineVersion(catalogue, stateMachineVersionArn);
      return NOTHING;
    },
  ),

  CreateStateMachineAlias: operation(
    { name: ALIAS_NAME, description: DESCRIPTION, routingConfiguration: { ...ROUTING, required: true } },
    ({ catalogue }, request) => createStateMachineAlias(catalogue, request),
  ),

  UpdateStateMachineAlias: operation(
    { stateMachineAliasArn: ARN, description: DESCRIPTION, routingConfiguration: ROUTING },
    ({ catalogue }, request) => updateStateMachineAlias(catalogue, request),
  ),

  DescribeStateMachineAlias: operation(
    { stateMachineAliasArn: ARN },
    ({ catalogue }, { stateMachineAliasArn }) => describeStateMachineAlias(catalogue, stateMachineAliasArn),
  ),

  DeleteStateMachineAlias: operation(
    { stateMachineAliasArn: ARN },
    ({ catalogue }, { stateMachineAliasArn }) => {
      deleteStateMachineAlias(catalogue, stateMachineAliasArn);
      return NOTHING;
    },
  ),

  ListStateMachineAliases: operation(
    { stateMachineArn: ARN, maxResults: PAGE_SIZE, nextToken: PAGE_TOKEN },
    ({ catalogue }, request) => {
      const { items, ...more } = pageOf(listStateMachineAliases(catalogue, request.stateMachineArn), request);
      return { stateMachineAliases: items, ...more };
    },
  ),
};
