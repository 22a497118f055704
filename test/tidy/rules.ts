import { BANNED_TEXT_RULES } from './banned-text';
import { CIRCLE_RULE } from './circles';
import { DOCSTRING_RULE } from './docstrings';
import { DOCUMENT_TITLE_RULE, FILE_NAME_RULE, USED_FILE_RULE } from './file-rules';
import { IMPORT_RULE } from './import-table';
import type { Rule } from './repository';
import { FILE_SIZE_RULE, FUNCTION_SIZE_RULE, LINE_LENGTH_RULE } from './sizes';

/** The rules of the house that a machine can check. */
export const RULES: readonly Rule[] = [
  IMPORT_RULE,
  CIRCLE_RULE,
  FILE_SIZE_RULE,
  FUNCTION_SIZE_RULE,
  LINE_LENGTH_RULE,
  DOCSTRING_RULE,
  FILE_NAME_RULE,
  USED_FILE_RULE,
  DOCUMENT_TITLE_RULE,
  ...BANNED_TEXT_RULES,
];
