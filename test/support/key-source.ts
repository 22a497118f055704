import type { KeySource } from '../../state-machine/expression/key-source';

/** A key of one expression that no rule has seen, such as one that the construct would reject. */
export function singleKey(jsonata: string): KeySource {
  const reads = { given: [], tested: [], problems: [] };
  return { kind: 'single', parts: [{ text: `{% ${jsonata} %}`, jsonata, nodes: [{}], reads }] };
}
