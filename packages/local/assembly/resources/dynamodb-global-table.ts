import type { ResourceType } from '../resource-type';
import { readTable, TABLE_REFERENCES } from './dynamodb-table';

/**
 * AWS::DynamoDB::GlobalTable, what CDK's `TableV2` makes, as one table in the stack's own region.
 *
 * Always billed per request: the type describes capacity per replica and by auto scaling, neither of which
 * exists locally. Replicas in other regions are left out.
 */
export const DYNAMODB_GLOBAL_TABLE: ResourceType = {
  ...TABLE_REFERENCES,
  read: resource => ({
    kind: 'table',
    spec: readTable(resource, () => ({ table: { BillingMode: 'PAY_PER_REQUEST' }, index: () => ({}) })),
  }),
};
