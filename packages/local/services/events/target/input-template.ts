import type { Json } from '../../../json/json';

export type VariableValue =
  | { readonly kind: 'json'; readonly value: Json }
  /** The path of the variable led nowhere in this event. */
  | { readonly kind: 'missing' };

/** A piece of a template: text as it stands, or a variable, and whether that stands inside a JSON string. */
export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string; readonly inString: boolean };

const VARIABLE = /^<([A-Za-z0-9_.-]+)>/;

/** Takes a template apart. `<` and `>` that do not enclose a name stand for themselves; they cannot be escaped. */
export function templateParts(template: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let text = '';
  let inString = false;
  for (let index = 0; index < template.length; index += 1) {
    const character = template[index];
    const name = character === '<' ? VARIABLE.exec(template.slice(index))?.[1] : undefined;
    if (name !== undefined) {
      parts.push({ kind: 'text', text }, { kind: 'variable', name, inString });
      text = '';
      index += name.length + 1;
      continue;
    }
    text += character;
    if (character === '\\' && inString) {
      index += 1;
      text += template[index] ?? '';
    } else if (character === '"') {
      inString = !inString;
    }
  }
  return [...parts, { kind: 'text', text }];
}

/**
 * Puts values into a template.
 *
 * Outside a string a value becomes JSON, so that strings get their quotes. Inside a string, strings go in as they
 * are, *not* escaped (EventBridge documents that it does not). Objects and arrays lose their quotes in a template that
 * is a text, and keep them in one that is JSON, which they break. A missing value is the empty string in both.
 */
export function renderTemplate(
  parts: readonly TemplatePart[],
  lookUp: (name: string) => VariableValue,
  isJson: boolean,
): string {
  const placeOf = ({ inString }: { readonly inString: boolean }) => {
    return inString ? (isJson ? 'stringInJson' : 'text') : 'json';
  };
  return parts
    .map(part => (part.kind === 'text' ? part.text : renderVariable(lookUp(part.name), placeOf(part))))
    .join('');
}

/** Says why a template cannot work, or undefined. Judged as AWS does: with null for each variable it must be JSON. */
export function templateFault(parts: readonly TemplatePart[]): string | undefined {
  const sample = parts.map(part => (part.kind === 'text' ? part.text : part.inString ? '' : 'null')).join('');
  const whole = jsonFault(sample);
  if (whole === undefined) return undefined;
  // A text of several lines is several JSON strings, one on each line.
  const lines = sample.split('\n').filter(line => line.trim() !== '');
  const isText = lines.every(line => line.trim().startsWith('"') && jsonFault(line) === undefined);
  return lines.length > 0 && isText ? undefined : whole;
}

/** Says why `text` is not JSON, or undefined if it is. */
export function jsonFault(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function renderVariable(variable: VariableValue, place: 'json' | 'stringInJson' | 'text'): string {
  if (variable.kind === 'missing') return place === 'json' ? '""' : '';
  const { value } = variable;
  if (place === 'json') return JSON.stringify(value);
  if (typeof value === 'string') return value;
  return place === 'text' ? JSON.stringify(value).replaceAll('"', '') : JSON.stringify(value);
}
