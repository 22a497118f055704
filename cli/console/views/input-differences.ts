import type { InputDifference } from '@onceflow/console';
import { differingFieldsIn } from '../../key/failure';
import { QUOTED_MAX, shortened } from '../../text';

/** The most differences that are shown: two inputs may have nothing in common. */
const DIFFERENCES_MAX = 50;
const ABSENT = 'absent';

/**
 * The differences of two inputs, field by field, each value as JSON and shortened; undefined if one of them is absent,
 * or not JSON. The order of members is not a difference.
 */
export function inputDifferences(
  owners: string | undefined,
  its: string | undefined,
): readonly InputDifference[] | undefined {
  const [owner, own] = [owners, its].map(parsed);
  if (owner === undefined || own === undefined) return undefined;
  const found: InputDifference[] = [];
  compare('$', owner.value, own.value, found);
  return found;
}

/**
 * The same by what the record keeps of the payload, where an input is gone: the fields that the cause of the rejected
 * execution names, with what the record has there. Undefined where one of them does not say.
 */
export function keptDifferences(
  payload: string | undefined,
  cause: string | undefined,
): readonly InputDifference[] | undefined {
  const fields = differingFieldsIn(cause);
  const stored = parsed(payload)?.value;
  if (fields === undefined || !isContainer(stored)) return undefined;
  return fields.map(name => {
    const owner = inWords(Object.hasOwn(stored, name) ? stored[name] : undefined);
    return { path: `payload${step(name, false)}`, owner, own: 'another' };
  });
}

function compare(path: string, owner: unknown, own: unknown, found: InputDifference[]): void {
  if (found.length >= DIFFERENCES_MAX || Object.is(owner, own)) return;
  if (!isContainer(owner) || !isContainer(own) || Array.isArray(owner) !== Array.isArray(own)) {
    found.push({ path, owner: inWords(owner), own: inWords(own) });
    return;
  }
  for (const name of new Set([...Object.keys(owner), ...Object.keys(own)])) {
    const [there, here] = [owner, own].map(container =>
      Object.hasOwn(container, name) ? container[name] : undefined,
    );
    compare(`${path}${step(name, Array.isArray(owner))}`, there, here, found);
  }
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function step(name: string, isIndex: boolean): string {
  if (isIndex) return `[${name}]`;
  return /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

// JSON has no undefined: what a member is that is not there.
function inWords(value: unknown): string {
  return value === undefined ? ABSENT : shortened(JSON.stringify(value), QUOTED_MAX);
}

function parsed(text: string | undefined): { readonly value: unknown } | undefined {
  try {
    return text === undefined ? undefined : { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
