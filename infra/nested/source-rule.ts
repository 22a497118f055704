import { Fn, Token } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { CfnRule, IEventBus, RuleProps } from 'aws-cdk-lib/aws-events';
import type { Construct } from 'constructs';
import { busNameFor } from '../../state-machine/template/environment';
import { EventRule } from '../cdk/event-rule';

/** The rule of a source, whose events have a dead-letter queue. */
export class SourceRule extends EventRule {
  /** The name of the bus; undefined for the account's default one. */
  private readonly busName: string | undefined;

  constructor(scope: Construct, id: string, props: RuleProps & { readonly eventBus?: IEventBus }) {
    super(scope, id, props, 'Select by fewer values, or pass each half of them to a source of its own');
    const { eventBus } = props;
    if (eventBus) (this.node.defaultChild as CfnRule).eventBusName = busNameFor(this, eventBus);
    const name = eventBus?.eventBusName;
    this.busName = name === 'default' ? undefined : name;
  }

  /**
   * Events that could neither be delivered nor kept in the dead-letter queue: EventBridge has dropped them. The metric
   * of a rule of a bus of one's own has its name as well.
   */
  metricLost(): Metric {
    const { busName } = this;
    const segments = busName === undefined ? 0 : Token.isUnresolved(busName) ? 1 : busName.split('/').length;
    // What the rule is referred to by has the name of the bus in it.
    const ruleName = Fn.select(1 + segments, Fn.split('/', this.ruleArn));
    return new Metric({
      namespace: 'AWS/Events',
      metricName: 'InvocationsFailedToBeSentToDlq',
      dimensionsMap: { ...(busName !== undefined && { EventBusName: busName }), RuleName: ruleName },
      statistic: Stats.SUM,
    });
  }
}
