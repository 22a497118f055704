import { callNative, NATIVES, type Native, sizeOf } from './natives';
import { type Code, Frame, GIVE_UP } from './run';

/** A function as a value. Its members are what the interpreter, and the reading of results, know functions by. */
abstract class FunctionValue {
  /** Not called from outside of the evaluator. */
  apply(): never {
    throw GIVE_UP;
  }
}

/** A function written in an expression. */
export class Lambda extends FunctionValue {
  readonly _jsonata_lambda = true;
  readonly parameters: readonly string[];
  readonly body: Code;
  readonly input: unknown;
  readonly frame: Frame;

  constructor(
    { parameters, body }: { readonly parameters: readonly string[]; readonly body: Code },
    input: unknown,
    frame: Frame,
  ) {
    super();
    this.parameters = parameters;
    this.body = body;
    this.input = input;
    this.frame = frame;
  }
}

/** A function that was passed to another as an argument: it is called without a context. */
export class Handed extends FunctionValue {
  readonly _jsonata_function = true;
  readonly target: Lambda | Native | Builtin;
  readonly arity: number;

  constructor(target: Lambda | Native | Builtin) {
    super();
    this.target = target;
    this.arity = target instanceof Lambda ? target.parameters.length : target.implementation.length;
  }
}

/** A built-in function that may call back, in a form that answers at once. */
export interface Builtin extends Native {
  readonly run: (args: readonly unknown[], frame: Frame) => unknown;
}

/** A pattern between slashes. Functions take it; nothing else can be done with it here. */
export class Pattern extends FunctionValue {
  readonly _jsonata_function = true;
  readonly source: RegExp;

  constructor(source: RegExp) {
    super();
    this.source = source;
  }
}

/** What can be called. */
export type Callable = Lambda | Native | Builtin | Handed;

/** The function in a value that is to be called. */
export function callableIn(value: unknown): Callable {
  if (value instanceof Lambda || value instanceof Handed) return value;
  if (isNative(value)) return value;
  throw GIVE_UP;
}

/** Whether a value is a function, which the interpreter wraps before it hands it on. */
export function isCallable(value: unknown): value is Callable {
  return value instanceof Lambda || value instanceof Handed || isNative(value);
}

/** Calls a function; `input` is the context for what is missing among the arguments of a built-in one. */
export function call(callable: Callable, args: readonly unknown[], input: unknown, frame: Frame): unknown {
  if (callable instanceof Handed) return call(callable.target, args, null, frame);
  if (callable instanceof Lambda) {
    const inner = new Frame(frame.run, callable.frame);
    for (const [index, name] of callable.parameters.entries()) inner.bind(name, args[index]);
    return callable.body(callable.input, inner);
  }
  if ('run' in callable) {
    const valid = callable.signature ? callable.signature.validate(args, input) : args;
    const result = callable.run(valid, frame);
    const [first] = valid;
    frame.run.spend(sizeOf(first) + sizeOf(result));
    if (typeof result === 'string') frame.run.usage.addText(result);
    return result;
  }
  return callNative(callable, args, input, frame);
}

function isNative(value: unknown): value is Native | Builtin {
  return typeof value === 'object' && value !== null && KNOWN.has(value);
}

/** Functions of ours and the interpreter's, by identity: data cannot pass for one. */
export const KNOWN = new WeakSet<object>(NATIVES.values());
