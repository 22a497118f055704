import { BANNED_TEXT_RULES } from './banned-text';
import { circleRule } from './circles';
import { DOCSTRING_RULE } from './docstrings';
import { DOCUMENT_TITLE_RULE, FILE_NAME_RULE, smallFileRule, USED_FILE_RULE } from './file-rules';
import { IMPORT_RULE } from './import-table';
import type { Rule } from './repository';
import { FILE_SIZE_RULE, FUNCTION_SIZE_RULE, LINE_LENGTH_RULE } from './sizes';
import { SUITE_RULE } from './suites';

// What is still to be done before a rule holds everywhere. Nothing is added to these lists.
const CIRCLES_STILL_OPEN: readonly string[] = [];
const STILL_TO_MERGE: readonly string[] = ['packages/local/services/dynamodb/'];

/** The rules of the house that a machine can check. */
export const RULES: readonly Rule[] = [
  IMPORT_RULE,
  circleRule(CIRCLES_STILL_OPEN),
  FILE_SIZE_RULE,
  FUNCTION_SIZE_RULE,
  LINE_LENGTH_RULE,
  DOCSTRING_RULE,
  FILE_NAME_RULE,
  USED_FILE_RULE,
  smallFileRule(STILL_TO_MERGE),
  DOCUMENT_TITLE_RULE,
  SUITE_RULE,
  ...BANNED_TEXT_RULES,
];
