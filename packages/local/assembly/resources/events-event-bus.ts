import type { Identity, ResourceType } from '../resource-type';
import { arnOf } from '../stack';

/** AWS::Events::EventBus. */
export const EVENT_BUS: ResourceType = {
  nameProperty: 'Name',
  attributes: { Arn: arn, Name: ({ name }) => name },
  read: ({ logicalId, stack, identity }) => ({
    kind: 'eventBus',
    spec: { logicalId, stack: stack.name, arn: arn(identity), name: identity.name },
  }),
};

function arn({ environment, name }: Identity): string {
  return arnOf(environment, 'events', `event-bus/${name}`);
}
