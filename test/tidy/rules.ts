import { BANNED_TEXT_RULES } from './banned-text';
import { DOCUMENT_TITLE_RULE, PINNED_ACTIONS_RULE, smallFileRule } from './file-rules';
import type { Rule } from './repository';
import { FILE_SIZE_RULE, LINE_LENGTH_RULE } from './sizes';

// The work before a rule holds everywhere. Nothing is added to these lists.
const STILL_TO_MERGE: readonly string[] = ['packages/local/services/dynamodb/'];

/** What neither Biome, dependency-cruiser nor knip can check. Each rule says why. */
export const RULES: readonly Rule[] = [
  FILE_SIZE_RULE,
  LINE_LENGTH_RULE,
  smallFileRule(STILL_TO_MERGE),
  DOCUMENT_TITLE_RULE,
  PINNED_ACTIONS_RULE,
  ...BANNED_TEXT_RULES,
];
