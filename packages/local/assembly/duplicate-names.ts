import type { Assembly, Problem } from './assembly';

/**
 * A problem for each ARN that two resources claim: AWS would refuse the second, and locally it would hide the
 * first.
 */
export function duplicateNames(assembly: Assembly): Problem[] {
  const { stateMachines, functions, tables, eventBuses, rules, queues } = assembly;
  const owners = new Map<string, string>();
  const problems: Problem[] = [];
  for (const { arn, stack, logicalId } of [
    ...stateMachines,
    ...functions,
    ...tables,
    ...eventBuses,
    ...rules,
    ...queues,
  ]) {
    const owner = owners.get(arn);
    const where = `${stack}/${logicalId}`;
    if (owner === undefined) owners.set(arn, where);
    else {
      const message = `has the same ARN as ${owner} (${arn}); rename one, or load only one by \`stacks\``;
      problems.push({ where, message });
    }
  }
  return problems;
}
