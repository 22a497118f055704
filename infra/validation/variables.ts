import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { isNoted, noted } from '../../state-machine/template/noted';
import {
  type Definition,
  definitionOf,
  definitionsIn,
  type StateJson,
  transitionsOf,
} from '../cdk/definition';

/**
 * Rejects at synthesis a variable that is set within a Parallel or Map state and may have been set before it: Step
 * Functions would reject the definition only when it is deployed. What the state itself or a later one sets is another
 * matter.
 */
export function validateVariables(stateMachine: StateMachine): void {
  if (isNoted(stateMachine, 'Validated')) return;
  noted(stateMachine, 'Validated', () => true);
  stateMachine.node.addValidation({
    validate: () => {
      const definition = definitionOf(stateMachine);
      return (definition ? setTwice(definition, new Set()) : []).slice(0, 1).map(inWords);
    },
  });
}

/** Variables of a state that an outer scope has already. */
interface Clash {
  readonly stateName: string;
  readonly variables: readonly string[];
}

function inWords({ stateName, variables }: Clash): string {
  return (
    `state '${stateName}' sets ${variables.map(name => `\`${name}\``).join(', ')}, which might already be set ` +
    'outside the Parallel or Map state around it. Step Functions rejects that. Give your variable another name; an ' +
    'IdempotentFragment cannot be in the `step` of another fragment, or of an IdempotentWorkflow'
  );
}

function setTwice({ States }: Definition, outer: ReadonlySet<string>): Clash[] {
  const entries = Object.entries(States);
  const own = entries.flatMap(([stateName, state]) => {
    const variables = new Set(waysOutOf(state).flatMap(({ variables }) => variables));
    const taken = [...variables].filter(name => outer.has(name));
    return taken.length > 0 ? [{ stateName, variables: taken }] : [];
  });
  const within = entries.flatMap(([stateName, state]) => {
    const inner = definitionsIn(state);
    if (inner.length === 0) return [];
    const known = new Set([...outer, ...setBefore(stateName, States)]);
    return inner.flatMap(definition => setTwice(definition, known));
  });
  return [...own, ...within];
}

/** The variables that some way to the state sets. */
function setBefore(stateName: string, states: Definition['States']): readonly string[] {
  const ways = Object.entries(states).flatMap(([from, state]) =>
    waysOutOf(state).map(way => ({ from, ...way })),
  );
  const names: string[] = [];
  const seen = new Set<string>();
  const pending = [stateName];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    for (const { from, variables } of ways.filter(({ to }) => to === at)) {
      names.push(...variables);
      pending.push(from);
    }
  }
  return names;
}

function waysOutOf(state: StateJson) {
  // JSONPath states write a computed value as `name.$`.
  return transitionsOf(state).map(({ Next, Assign = {} }) => ({
    to: Next,
    variables: Object.keys(Assign).map(name => name.replace(/\.\$$/, '')),
  }));
}
