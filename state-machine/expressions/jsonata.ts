/**
 * JSONata that defines `$isText(value)`: true for text that UTF-8 can tell from any other.
 *
 * Half a surrogate pair is none: hashed or stored it would be the same as any other half. JSONata's implementations
 * treat it differently (one fails, one writes `?`), but none gives it back.
 */
export const DEFINE_IS_TEXT =
  "$isText := function($text) { $text = '' or $decodeUrlComponent($encodeUrlComponent($text)) = $text }";

/** JSONata that defines `$quoted(text)`: text in double quotes with `\\` and `"` escaped. Needs `$isText`. */
export const DEFINE_QUOTED =
  '$quoted := function($text) { $isText($text) ? ' +
  "'\"' & $replace($replace($text, '\\\\', '\\\\\\\\'), '\"', '\\\\\"') & '\"' : $error('text with half a surrogate pair') }";
