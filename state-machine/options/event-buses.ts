import { Token } from 'aws-cdk-lib';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import type { IConstruct } from 'constructs';
import { describeValue } from '../words/describe-value';

/**
 * A custom event bus, `AWS::EventsV2::EventBus`, such as a `CfnEventBus` of `aws-cdk-lib/aws-eventsv2`. A classic event
 * bus is not one: it has a name of its own in CDK.
 *
 * @example
 * const bus: ICustomEventBus = new CfnEventBus(this, 'Orders', { name: 'orders' });
 */
export interface ICustomEventBus extends IConstruct {
  readonly eventBusRef: { readonly eventBusArn: string };
  /** Never there: a classic event bus has it. */
  readonly eventBusName?: never;
}

const CUSTOM_BUS = 'AWS::EventsV2::EventBus';
const CLASSIC_BUS = 'AWS::Events::EventBus';
/** `arn:aws:events:eu-west-1:111111111111:event-busv2/orders/` and an id. */
const CUSTOM_BUS_ARN = /^arn:[^:]+:events:[^:]*:[^:]*:event-busv2\//;
const CLASSIC_BUS_ARN = /^arn:[^:]+:events:[^:]*:[^:]*:event-bus\//;

/**
 * Rejects a value that is not a classic event bus, `AWS::Events::EventBus`. AWS names the custom event bus much alike,
 * and CDK makes an `IEventBus` of its ARN: neither a rule nor `events:putEvents` takes it.
 *
 * @throws Error with the remedy
 */
export function requireClassicBus(option: string, bus: IEventBus, insteadOfCustom: string): void {
  if (isCustomBus(bus)) {
    throw new Error(
      `\`${option}\` takes a classic event bus, ${CLASSIC_BUS}, got a custom event bus, ` +
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

/** The ARN of a custom event bus, which is given itself or by its ARN. @throws Error for another value, with the remedy */
export function customBusArn(option: string, bus: ICustomEventBus | string): string {
  const { eventBusRef, eventBusName } = Object(bus) as {
    readonly eventBusRef?: unknown;
    readonly eventBusName?: unknown;
  };
  const { eventBusArn } = (eventBusRef ?? {}) as { readonly eventBusArn?: unknown };
  const arn = typeof bus === 'string' ? bus : eventBusArn;
  const takes = `\`${option}\` takes a custom event bus, ${CUSTOM_BUS}, or its ARN`;
  if (typeof eventBusName === 'string' || (typeof arn === 'string' && CLASSIC_BUS_ARN.test(arn))) {
    throw new Error(`${takes}, got a classic event bus, ${CLASSIC_BUS}. Use \`Source.eventBridge\``);
  }
  if (typeof arn === 'string' && (Token.isUnresolved(arn) || CUSTOM_BUS_ARN.test(arn))) return arn;
  throw new Error(`${takes}, got ${describeValue(bus)}`);
}
