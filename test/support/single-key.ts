import type { KeyExpressions } from '../../state-machine/expression/key-expressions';

/** A key of one expression that no rule has seen, such as one that the construct would reject. */
export function singleKey(jsonata: string): KeyExpressions {
  const reads = { given: [], tested: [], problems: [] };
  return { kind: 'single', parts: [{ text: `{% ${jsonata} %}`, jsonata, nodes: [{}], reads }] };
}
