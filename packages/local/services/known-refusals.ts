import type { Service } from '../runtime/calls/service';
import { refusalOf as refusalOfItems } from './dynamodb/refusal';
import { refusalOf as refusalOfInvoke } from './lambda/arguments';

type Refusing = Pick<Service, 'refusalOf'>;

const ITEMS: Refusing = { refusalOf: refusalOfItems };
const INVOKE: Refusing = { refusalOf: refusalOfInvoke };

/**
 * What refuses parameters, by integration, for who runs a definition without its services: of DynamoDB and of
 * `lambda:invoke`, which every such definition is made of. Of others nothing is known here.
 */
export const KNOWN_REFUSALS = {
  get(integration: string): Refusing | undefined {
    if (integration === 'lambda:invoke') return INVOKE;
    return /^(aws-sdk:)?dynamodb:/.test(integration) ? ITEMS : undefined;
  },
};
