import type { IEventBus } from 'aws-cdk-lib/aws-events';
import { describeValue } from '../contract/describe-value';

const CUSTOM_BUS = 'AWS::EventsV2::EventBus';
/** `arn:aws:events:eu-west-1:111111111111:event-busv2/orders/` and an id. */
const CUSTOM_BUS_ARN = /^arn:[^:]+:events:[^:]*:[^:]*:event-busv2\//;

/**
 * Rejects what is not a classic event bus, `AWS::Events::EventBus`. AWS names the custom event bus much alike, and CDK
 * makes an `IEventBus` of its ARN: neither a rule nor `events:putEvents` takes it.
 *
 * @throws Error with the remedy
 */
export function requireClassicBus(option: string, bus: IEventBus, insteadOfCustom: string): void {
  if (isCustomBus(bus)) {
    throw new Error(
      `\`${option}\` takes a classic event bus, ${CUSTOM_BUS.replace('V2', '')}, got a custom event bus, ` +
        `${CUSTOM_BUS}. ${insteadOfCustom}`,
    );
  }
  if (typeof bus?.eventBusArn === 'string') return;
  throw new Error(`\`${option}\` takes an event bus, got ${describeValue(bus)}`);
}

function isCustomBus(given: unknown): boolean {
  if (typeof given === 'string') return CUSTOM_BUS_ARN.test(given);
  const { cfnResourceType, eventBusArn } = (given ?? {}) as Readonly<Record<string, unknown>>;
  return (
    cfnResourceType === CUSTOM_BUS || (typeof eventBusArn === 'string' && CUSTOM_BUS_ARN.test(eventBusArn))
  );
}
