import type { Json } from '@onceflow/local';
import type { EventRule } from '../../../packages/local/services/events/rules';
import type { CaseBase } from '../cases/recorded-case';
import { type References, resolveReferences } from '../cases/references';
import { HOME } from './names';

/** The rules on the default bus that a case's workers stand for. Targets are queues, named as the case names them. */
export function eventRulesOf(recorded: CaseBase, references: References): EventRule[] {
  return recorded.workers
    .filter(({ behaviour }) => behaviour === 'eventBridgeRuleToQueue')
    .map(({ eventPattern, queue }, index) => ({
      arn: `arn:aws:events:${HOME.region}:${HOME.account}:rule/rule-${index}`,
      name: `rule-${index}`,
      eventBusName: 'default',
      pattern: resolveReferences(eventPattern, references) as Json,
      enabled: true,
      targets: [{ id: 'queue', arn: String(resolveReferences(queue, references)) }],
    }));
}
