import { requireMachineArn, splitMachineArn } from '../requests/arns';
import { StatesError } from '../requests/errors';
import type { RoutingConfiguration } from './catalogue-item';

/** The version that an alias gives one execution. `random` draws in [0, 1), and only where there is a choice. */
export function chooseByWeight(routing: RoutingConfiguration, random: () => number): string {
  const [first, second] = routing;
  if (!second) return first?.stateMachineVersionArn ?? '';
  const isFirst = first !== undefined && random() * WEIGHT_SUM < first.weight;
  return isFirst ? first.stateMachineVersionArn : second.stateMachineVersionArn;
}

/**
 * The machine whose versions a routing names.
 *
 * @throws StatesError `ValidationException` unless it names distinct versions of one machine with weights that add up
 * to 100, `InvalidArn`.
 */
export function requireRouting(routing: RoutingConfiguration): string {
  const arns = routing.map(({ stateMachineVersionArn }) => stateMachineVersionArn);
  for (const arn of arns) requireMachineArn(arn);
  const parts = arns.map(splitMachineArn);
  const received = `Received: [${arns.join(', ')}]`;
  if (!parts.every(({ qualifier }) => qualifier !== undefined && /^\d+$/.test(qualifier))) {
    throw invalid(`Routing configuration must contain state machine version ARNs. ${received}`);
  }
  if (new Set(arns).size < arns.length) {
    throw invalid(`Routing configuration must contain distinct state machine version ARNs. ${received}`);
  }
  const [machineArn = '', ...others] = new Set(parts.map(part => part.machineArn));
  if (others.length > 0) {
    throw invalid(`Routing configuration must contain versions of the same state machine. ${received}`);
  }
  const weights = routing.map(({ weight }) => weight);
  if (weights.reduce((total, weight) => total + weight, 0) !== WEIGHT_SUM) {
    const all = `[${weights.join(', ')}]`;
    throw invalid(`Sum of routing configuration weights must equal ${WEIGHT_SUM}. Received: ${all}`);
  }
  return machineArn;
}

/** Weights are percentages. */
export const WEIGHT_SUM = 100;

function invalid(message: string): StatesError {
  return new StatesError('ValidationException', message);
}
