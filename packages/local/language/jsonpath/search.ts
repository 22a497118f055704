import { isJsonObject, type Json, type JsonObject } from '../../json/json';
import { satisfies } from './filter';
import { follow, missing, pick, type Selected } from './follow';
import { isTooLong } from './size';
import { normalizedPath, type Operand, type Step } from './syntax';

/** Values that one search visits, filters included, before it is given up. */
const VISITED_MAX = 1_000_000;

/** What the filters of one search compare before it is given up: less than a second's work. */
const COMPARED_MAX = 100_000_000;

/** The search of a path that may lead to many values, from one root. */
export class Search {
  readonly #root: Json;
  #visited = 0;
  #compared = 0;

  constructor(root: Json) {
    this.#root = root;
  }

  /** The list of all that the steps lead to, in the order of the document. */
  along(steps: readonly Step[]): Selected {
    const value = this.#found(this.#root, steps);
    if (this.#isSpent() || isTooLong(value))
      return missing(`The path ${normalizedPath(steps)} leads to too many values`);
    return { kind: 'value', value };
  }

  #found(from: Json, steps: readonly Step[]): Json[] {
    let values: Json[] = [from];
    for (const [index, step] of steps.entries()) {
      const isLast = index === steps.length - 1;
      const next: Json[] = [];
      for (const value of values) {
        if (this.#isSpent()) return [];
        for (const found of this.#step(value, step, isLast)) next.push(found);
      }
      values = next;
    }
    return values;
  }

  #isSpent(): boolean {
    return this.#visited > VISITED_MAX || this.#compared > COMPARED_MAX;
  }

  #step(value: Json, step: Step, isLast: boolean): readonly Json[] {
    if (this.#isSpent()) return [];
    const found = this.#taken(value, step, isLast);
    this.#visited += found.length + writtenIn(step);
    return found;
  }

  #taken(value: Json, step: Step, isLast: boolean): readonly Json[] {
    switch (step.kind) {
      case 'member':
        return isJsonObject(value) && Object.hasOwn(value, step.name) ? [value[step.name] ?? null] : [];
      case 'members':
        return isJsonObject(value) ? membersOf(value, step.names, isLast) : [];
      case 'item':
        return Array.isArray(value) ? itemsAt(value, [step.index]) : [];
      case 'items':
        return Array.isArray(value) ? itemsAt(value, step.indices) : [];
      case 'slice':
        return Array.isArray(value) ? sliceOf(value, step.from, step.to) : [];
      case 'wildcard':
        return childrenOf(value);
      case 'filter':
        return this.#filtered(value, step);
      case 'descendants':
        return this.#within(value, step.step, isLast);
      default:
        return step satisfies never;
    }
  }

  /** As Jayway does: the items of an array that satisfy the filter, and an object that itself does. */
  #filtered(value: Json, { condition }: Step & { kind: 'filter' }): readonly Json[] {
    const candidates = Array.isArray(value) ? value : isJsonObject(value) ? [value] : [];
    const spend = (work: number) => {
      this.#compared += work;
    };
    const holds = (item: Json) => satisfies(condition, operand => this.#operand(operand, item), spend);
    return candidates.filter(item => !this.#isSpent() && holds(item));
  }

  #operand(operand: Operand, item: Json): Selected {
    if (operand.kind === 'literal') return { kind: 'value', value: operand.value };
    if (this.#isSpent()) return missing('too many values');
    this.#visited += 1;
    const from = operand.from === 'item' ? item : this.#root;
    const { steps, isDefinite } = operand.path;
    return isDefinite ? follow(steps, from) : { kind: 'value', value: this.#found(from, steps) };
  }

  #within(value: Json, step: Step, isLast: boolean): readonly Json[] {
    const found: Json[] = [];
    const visit = (at: Json) => {
      if (this.#isSpent()) return;
      this.#visited += 1;
      // A filter judges every object alone, or items of arrays would be found twice.
      const taken = step.kind === 'filter' && Array.isArray(at) ? [] : this.#step(at, step, isLast);
      for (const each of taken) found.push(each);
      for (const child of childrenOf(at)) visit(child);
    };
    visit(value);
    return found;
  }
}

/** How many names or indices a step has: each is looked for, whether it is there or not. */
function writtenIn(step: Step): number {
  if (step.kind === 'members') return step.names.length;
  return step.kind === 'items' ? step.indices.length : 1;
}

function childrenOf(value: Json): readonly Json[] {
  if (Array.isArray(value)) return value;
  return isJsonObject(value) ? Object.values(value) : [];
}

function membersOf(value: JsonObject, names: readonly string[], isLast: boolean): readonly Json[] {
  const present = pick(value, names);
  return isLast ? [present] : Object.values(present);
}

function itemsAt(items: readonly Json[], indices: readonly number[]): readonly Json[] {
  return indices.flatMap(index => {
    const item = items.at(index);
    return item === undefined ? [] : [item];
  });
}

/** As Jayway does: the bounds of a slice with both are not counted from the end, only the indices between them are. */
function sliceOf(items: readonly Json[], from: number | undefined, to: number | undefined): readonly Json[] {
  if (from === undefined || to === undefined) return items.slice(from, to);
  const indices: number[] = [];
  for (let index = Math.max(from, -items.length); index < Math.min(to, items.length); index += 1)
    indices.push(index);
  return itemsAt(items, indices);
}
