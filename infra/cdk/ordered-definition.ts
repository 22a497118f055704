import { Stack } from 'aws-cdk-lib';
import type { IPrincipal } from 'aws-cdk-lib/aws-iam';
import {
  ChainDefinitionBody,
  type DefinitionConfig,
  type IChainable,
  Parallel,
  type ParallelProps,
  type QueryLanguage,
  type StateGraph,
  type StateMachineProps,
} from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import type { Definition } from './definition';

// CDK lists the states of a definition in the order in which it came upon them. Who opens a definition reads it from
// its beginning, so ours stand in the order of the story. To Step Functions the order means nothing.

/**
 * A definition as of `DefinitionBody.fromChainable`, its states in the order of these names. `language`, which
 * goes before the state machine's own, is asked when the states have been put together: until then CDK does not know
 * those within others.
 */
export class OrderedDefinitionBody extends ChainDefinitionBody {
  constructor(
    chainable: IChainable,
    private readonly names: readonly string[],
    private readonly language?: () => QueryLanguage,
  ) {
    super(chainable);
  }

  override bind(
    scope: Construct,
    principal: IPrincipal,
    props: StateMachineProps,
    graph?: StateGraph,
  ): DefinitionConfig {
    const queryLanguage = this.language?.() ?? props.queryLanguage;
    if (!graph) return super.bind(scope, principal, props);
    const states = inOrder(graph.toGraphJson(queryLanguage) as Definition, this.names);
    const written = { ...states, Comment: props.comment, QueryLanguage: queryLanguage };
    return { definitionString: Stack.of(scope).toJsonString(written) };
  }
}

/** A Parallel state, the states of its branches in the order of these names. */
export class OrderedParallel extends Parallel {
  constructor(
    scope: Construct,
    id: string,
    private readonly names: readonly string[],
    props: ParallelProps,
  ) {
    super(scope, id, props);
  }

  override toStateJson(language?: QueryLanguage): object {
    const json = super.toStateJson(language) as { readonly Branches: readonly Definition[] };
    return { ...json, Branches: json.Branches.map(branch => inOrder(branch, this.names)) };
  }
}

// States of other names come last, as they came.
function inOrder(definition: Definition, names: readonly string[]): Definition {
  const orderOf = ([name]: readonly [string, unknown]) => {
    const index = names.indexOf(name);
    return index === -1 ? names.length : index;
  };
  const states = Object.entries(definition.States).sort((one, other) => orderOf(one) - orderOf(other));
  return { ...definition, States: Object.fromEntries(states) };
}
