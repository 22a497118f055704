import { Native, sizeOf } from './natives';
import { type Code, Frame, GIVE_UP, type Run } from './run';

/** A function as a value. Its members are what the interpreter, and the reading of results, know functions by. */
export abstract class FunctionValue {
  /** Not called from outside of the evaluator. */
  apply(): never {
    throw GIVE_UP;
  }
}

/** The facts that all functions of one place in an expression share. */
export interface LambdaDefinition {
  /** The slots of its parameters. */
  readonly parameters: readonly number[];
  /** How many slots its variables take, parameters included. */
  readonly slots: number;
  readonly body: Code;
}

/** A function written in an expression. */
export class Lambda extends FunctionValue {
  readonly _jsonata_lambda = true;
  // Private, because an expression can look into whatever it can name.
  readonly #definition: LambdaDefinition;
  readonly #input: unknown;
  readonly #frame: Frame;

  constructor(definition: LambdaDefinition, input: unknown, frame: Frame) {
    super();
    this.#definition = definition;
    this.#input = input;
    this.#frame = frame;
  }

  /** How many parameters it has. */
  get arity(): number {
    return this.#definition.parameters.length;
  }

  /** This function as an argument of a built-in function in tail position: its context is where it was defined. */
  asTailArgument(): Handed {
    return new Handed(this, this.#input);
  }

  /** Its value for these arguments, or the call in its tail position, which the caller makes. */
  enter(args: readonly unknown[], run: Run): unknown {
    const { parameters, slots, body } = this.#definition;
    const inner = new Frame(run, slots, this.#frame);
    for (let index = 0; index < parameters.length; index += 1)
      inner.bind(parameters[index] ?? 0, args[index]);
    return body(this.#input, inner);
  }
}

/** A function that was passed to another as an argument: it is called in front of a context of its own. */
export class Handed extends FunctionValue {
  readonly _jsonata_function = true;
  readonly #target: Lambda | Native;
  readonly #context: unknown;

  constructor(target: Lambda | Native, context: unknown) {
    super();
    this.#target = target;
    this.#context = context;
  }

  /** How many arguments it is called with at most. */
  get arity(): number {
    return this.#target instanceof Lambda ? this.#target.arity : this.#target.implementation.length;
  }

  /** Its value for these arguments. */
  call(args: readonly unknown[], frame: Frame): unknown {
    return call(this.#target, args, this.#context, frame);
  }
}

/** A built-in function that may call back, in a form that answers at once. */
export class Builtin extends Native {
  readonly #run: (args: readonly unknown[], frame: Frame) => unknown;

  constructor(name: string, native: Native, run: (args: readonly unknown[], frame: Frame) => unknown) {
    super(name, native);
    this.#run = run;
  }

  override call(args: readonly unknown[], input: unknown, frame: Frame): unknown {
    const valid = this.validated(args, input);
    const result = this.#run(valid, frame);
    frame.run.spend(sizeOf(valid[0]) + sizeOf(result));
    if (typeof result === 'string') frame.run.usage.addText(result);
    return result;
  }
}

/** A call at the end of a function. The function's caller makes it, in front of its own context. */
export class TailCall {
  readonly #callable: Callable;
  readonly #args: readonly unknown[];
  readonly #frame: Frame;

  constructor(callable: Callable, args: readonly unknown[], frame: Frame) {
    this.#callable = callable;
    this.#args = args;
    this.#frame = frame;
  }

  /** The result of the call: a value, or the next call in tail position. */
  resolve(callerInput: unknown): unknown {
    const { run } = this.#frame;
    if (!(this.#callable instanceof Lambda))
      return call(this.#callable, this.#args, callerInput, this.#frame);
    run.enter();
    run.depth -= 1;
    return this.#callable.enter(this.#args, run);
  }
}

/** What can be called. */
export type Callable = Lambda | Native | Handed;

/** The function in a value of a call. */
export function callableIn(value: unknown): Callable {
  if (isCallable(value)) return value;
  throw GIVE_UP;
}

/** Whether a value is a function, which the interpreter wraps before it hands it on. By identity: data is never one. */
export function isCallable(value: unknown): value is Callable {
  return value instanceof Lambda || value instanceof Handed || value instanceof Native;
}

/** Calls a function; `input` is the context, which stands for missing arguments of a built-in one. */
export function call(callable: Callable, args: readonly unknown[], input: unknown, frame: Frame): unknown {
  if (callable instanceof Native) {
    // A function that only looks at data would look into ours.
    if (!(callable instanceof Builtin) && args.some(holdsFunction)) throw GIVE_UP;
    return callable.call(args, input, frame);
  }
  if (callable instanceof Handed) return callable.call(args, frame);
  let value = callable.enter(args, frame.run);
  // One after another, so that a function which ends in a call of itself does not nest.
  while (value instanceof TailCall) value = value.resolve(input);
  return value;
}

function holdsFunction(value: unknown): boolean {
  if (typeof value !== 'object') return false;
  return Array.isArray(value)
    ? value.some(item => item instanceof FunctionValue)
    : value instanceof FunctionValue;
}
