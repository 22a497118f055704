import { calculate } from './calculate';
import { callMethod } from './methods';
import type { Branch, Expression, Piece, Pieces, Reference, Step, Template } from './syntax';
import { TemplateError } from './template-error';
import { CHARACTERS_MAX, type Usage } from './usage';
import { isHost, textOf, type Value } from './value';

/**
 * What a mapping template makes of these variables. A name that nothing stands behind is printed as nothing, and so is
 * null. What the evaluation takes is counted in `usage`.
 *
 * @throws TemplateError for a feature that is not built, and beyond the bounds of `usage`
 */
export function evaluateTemplate(
  template: Template,
  variables: Readonly<Record<string, Value>>,
  usage: Usage,
): string {
  return new Evaluation(variables, usage).text(template.pieces);
}

class Evaluation {
  readonly #variables: Map<string, Value>;
  readonly #usage: Usage;
  #characters = 0;
  #isBroken = false;

  constructor(variables: Readonly<Record<string, Value>>, usage: Usage) {
    this.#variables = new Map(Object.entries(variables));
    this.#usage = usage;
  }

  text(pieces: Pieces): string {
    let text = '';
    for (const piece of pieces) {
      if (this.#isBroken) break;
      this.#usage.step();
      const printed = typeof piece === 'string' ? piece : this.#piece(piece);
      this.#usage.read(printed.length);
      this.#characters += printed.length;
      if (this.#characters > CHARACTERS_MAX) throw new TemplateError('it prints more than 10 MB');
      text += printed;
    }
    return text;
  }

  #piece(piece: Exclude<Piece, string>): string {
    switch (piece.type) {
      case 'reference':
        return textOf(this.#reference(piece), this.#usage);
      case 'set':
        this.#set(piece.target, piece.value);
        return '';
      case 'if':
        return this.#if(piece.branches);
      case 'foreach':
        return this.#foreach(piece);
      case 'break':
        this.#isBroken = true;
        return '';
      default:
        return piece satisfies never;
    }
  }

  #if(branches: readonly Branch[]): string {
    const taken = branches.find(({ condition }) => !condition || isTrue(this.#value(condition)));
    return taken ? this.text(taken.pieces) : '';
  }

  #foreach({ name, over, pieces }: Exclude<Piece, string> & { readonly type: 'foreach' }): string {
    const list = this.#value(over);
    const items = list instanceof Map ? [...list.values()] : Array.isArray(list) ? [...list] : [];
    this.#usage.read(items.length);
    const names = [name, 'foreach', 'velocityCount'];
    const before = names.map(one => [one, this.#variables.get(one)] as const);
    let text = '';
    for (const [index, item] of items.entries()) {
      this.#variables.set(name, item);
      this.#variables.set('foreach', loopAt(index, items.length));
      this.#variables.set('velocityCount', index + 1);
      text += this.text(pieces);
      if (this.#isBroken) break;
    }
    this.#isBroken = false;
    for (const [one, value] of before) {
      if (value === undefined) this.#variables.delete(one);
      else this.#variables.set(one, value);
    }
    return text;
  }

  /** Null is not set: what was there before stays, as in Velocity. */
  #set({ name, steps }: Reference, expression: Expression): void {
    const value = this.#value(expression);
    if (value === null) return;
    const last = steps.at(-1);
    if (last === undefined) {
      this.#variables.set(name, value);
      return;
    }
    if (last.type === 'method') throw new TemplateError(`nothing can be set in $${name}`);
    const of = this.#walk(this.#variables.get(name) ?? null, steps.slice(0, -1));
    const member = last.type === 'item' ? this.#value(last.at) : last.name;
    if (of instanceof Map) of.set(textOf(member, this.#usage), value);
    else if (Array.isArray(of) && typeof member === 'number' && member in of) of[member] = value;
    else if (of !== null && isHost(of) && of.set) of.set(textOf(member, this.#usage), value);
    else throw new TemplateError(`nothing can be set in $${name}`);
  }

  #value(expression: Expression): Value {
    this.#usage.step();
    switch (expression.type) {
      case 'reference':
        return this.#reference(expression);
      case 'constant':
        return expression.value;
      case 'text':
        return this.text(expression.pieces);
      case 'list':
        return expression.items.map(item => this.#value(item));
      case 'range':
        return this.#range(this.#value(expression.from), this.#value(expression.to));
      case 'map':
        return new Map(
          expression.members.map(([key, member]) => [
            textOf(this.#value(key), this.#usage),
            this.#value(member),
          ]),
        );
      case 'not':
        return !isTrue(this.#value(expression.of));
      case 'operation':
        return this.#operation(expression);
      default:
        return expression satisfies never;
    }
  }

  #range(from: Value, to: Value): Value[] {
    if (typeof from !== 'number' || typeof to !== 'number') return [];
    const length = Math.abs(to - from) + 1;
    this.#usage.step(length);
    const step = from <= to ? 1 : -1;
    return Array.from({ length }, (_, index) => from + index * step);
  }

  #operation({ operator, left, right }: Expression & { readonly type: 'operation' }): Value {
    if (operator === '&&') return isTrue(this.#value(left)) && isTrue(this.#value(right));
    if (operator === '||') return isTrue(this.#value(left)) || isTrue(this.#value(right));
    return calculate(operator, this.#value(left), this.#value(right), this.#usage);
  }

  #reference({ name, steps }: Reference): Value {
    return this.#walk(this.#variables.get(name) ?? null, steps);
  }

  #walk(from: Value, steps: readonly Step[]): Value {
    let value = from;
    for (const step of steps) {
      this.#usage.step();
      if (value === null) return null;
      value = this.#step(value, step);
    }
    return value;
  }

  #step(of: Value, step: Step): Value {
    if (step.type === 'method') {
      const args = step.args.map(arg => this.#value(arg));
      return callMethod(of, step.name, args, this.#usage);
    }
    const name = step.type === 'item' ? this.#value(step.at) : step.name;
    if (of instanceof Map) return of.get(textOf(name, this.#usage)) ?? null;
    if (Array.isArray(of)) return typeof name === 'number' ? (of.at(name) ?? null) : null;
    return of !== null && isHost(of) ? (of.get?.(textOf(name, this.#usage)) ?? null) : null;
  }
}

/** As in Velocity 1.x: an empty text and zero are true. */
function isTrue(value: Value): boolean {
  return value !== null && value !== false;
}

function loopAt(index: number, length: number): Value {
  return new Map<string, Value>([
    ['index', index],
    ['count', index + 1],
    ['hasNext', index + 1 < length],
    ['first', index === 0],
    ['last', index + 1 === length],
  ]);
}
