import { readCondition } from './parse-filter';
import { NotReadable, type Reader } from './reader';
import { PATH_FUNCTIONS, type Path, type PathFunction, type Root, type Step } from './syntax';

// Paths: https://states-language.net/spec.html#path
//
// The service reads them with Jayway JsonPath, so the grammar is that of Jayway.

/** Steps that one path may have; filters within filters count their depth. */
const STEPS_MAX = 1000;

/**
 * Reads a path, up to where it cannot go on.
 *
 * @throws NotReadable where a path cannot begin, or a step of it is wrong
 */
export function readPath(reader: Reader): Path {
  reader.expect('$');
  return readSteps(reader, readRoot(reader));
}

const VARIABLE = /[\p{L}_][\p{L}\p{N}_]*/uy;

function readRoot(reader: Reader): Root {
  if (reader.takes('$')) return { kind: 'context' };
  const name = reader.match(VARIABLE);
  return name === '' ? { kind: 'input' } : { kind: 'variable', name };
}

/**
 * Reads the steps that follow a root, as many as there are.
 *
 * @throws NotReadable where a step is wrong
 */
function readSteps(reader: Reader, root: Root, depth = 0): Path {
  const steps: Step[] = [];
  const pathOf = (then?: PathFunction): Path => ({
    root,
    steps,
    isDefinite: steps.every((step, index) => isDefinite(step, index === steps.length - 1)),
    ...(then === undefined ? {} : { then }),
  });
  for (;;) {
    if (steps.length > STEPS_MAX) throw new NotReadable(`a path has at most ${STEPS_MAX} steps`);
    if (reader.takes('..')) steps.push({ kind: 'descendants', step: readAfterDots(reader, depth) });
    else if (reader.takes('.')) {
      const step = readAfterDot(reader, depth);
      if (typeof step === 'string') return pathOf(step);
      steps.push(step);
    } else if (reader.next === '[') steps.push(readBracket(reader, depth));
    else return pathOf();
  }
}

function isDefinite(step: Step, isLast: boolean): boolean {
  return step.kind === 'member' || step.kind === 'item' || (step.kind === 'members' && isLast);
}

function readAfterDots(reader: Reader, depth: number): Step {
  if (reader.next === '[') return readBracket(reader, depth);
  if (reader.takes('*')) return { kind: 'wildcard' };
  return { kind: 'member', name: readName(reader) };
}

const CALL = /\w+\(\s*\)/y;

function readAfterDot(reader: Reader, depth: number): Step | PathFunction {
  // Jayway reads `$.[0]` as `$[0]`.
  if (reader.next === '[') return readBracket(reader, depth);
  if (reader.takes('*')) return { kind: 'wildcard' };
  const call = reader.match(CALL);
  if (call === '') return { kind: 'member', name: readName(reader) };
  const called = PATH_FUNCTIONS.find(name => call.startsWith(`${name}(`));
  if (called === undefined) throw new NotReadable(`there is no function ${call}`);
  return called;
}

const NAME = /[^.[\](),'"\s=<>!&|~?*]+/y;

function readName(reader: Reader): string {
  const name = reader.match(NAME);
  if (name === '') throw reader.unexpected('expected a name');
  return name;
}

function readBracket(reader: Reader, depth: number): Step {
  reader.expect('[');
  reader.skipSpace();
  const step = readInBracket(reader, depth);
  reader.skipSpace();
  reader.expect(']');
  return step;
}

function readInBracket(reader: Reader, depth: number): Step {
  if (reader.takes('*')) return { kind: 'wildcard' };
  if (reader.takes('?')) {
    reader.skipSpace();
    const from = reader.at;
    reader.expect('(');
    const condition = readCondition(reader, depth + 1, inner => readSteps(reader, { kind: 'input' }, inner));
    reader.expect(')');
    return { kind: 'filter', condition, text: reader.text.slice(from, reader.at) };
  }
  if (reader.next === "'" || reader.next === '"') return readNames(reader);
  return readIndices(reader);
}

function readNames(reader: Reader): Step {
  const names = [reader.quoted()];
  while (takesComma(reader)) names.push(reader.quoted());
  const [name = ''] = names;
  return names.length === 1 ? { kind: 'member', name } : { kind: 'members', names };
}

const INTEGER = /-?\d{1,9}/y;

function readIndices(reader: Reader): Step {
  const first = reader.match(INTEGER);
  reader.skipSpace();
  if (reader.takes(':')) {
    reader.skipSpace();
    const to = reader.match(INTEGER);
    if (first === '' && to === '') throw reader.unexpected('expected a number beside the colon');
    return {
      kind: 'slice',
      ...(first === '' ? {} : { from: Number(first) }),
      ...(to === '' ? {} : { to: Number(to) }),
    };
  }
  if (first === '') throw reader.unexpected("expected a name in quotes, a number, '*' or '?' in brackets");
  const indices = [Number(first)];
  while (takesComma(reader)) {
    const index = reader.match(INTEGER);
    if (index === '') throw reader.unexpected('expected a number');
    indices.push(Number(index));
  }
  return indices.length === 1 ? { kind: 'item', index: indices[0] ?? 0 } : { kind: 'items', indices };
}

function takesComma(reader: Reader): boolean {
  reader.skipSpace();
  if (!reader.takes(',')) return false;
  reader.skipSpace();
  return true;
}
