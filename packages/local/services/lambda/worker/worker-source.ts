import { ERROR_SHAPES } from './error-shapes';
import { HANDLER_LOADER } from './handler-loader';
import { INVOCATION } from './invocation';
import { OUTPUT_CAPTURE } from './output-capture';

/**
 * The program of one execution environment, to be started with `new Worker(source, { eval: true })`.
 *
 * It is text and not a module, because a worker has none of the host's loaders: a path to TypeScript would start under
 * tsx alone, and a file must be found beside any bundle that this package is part of. A function's `toString()` does
 * not help, because esbuild and coverage tools leave calls in it to names that the worker does not have. Stack frames
 * of a text are marked `[worker eval]`; by this mark, callers see traces without them.
 *
 * The parts share one scope; each says what it defines. worker-source.test.ts checks the names of all of them.
 */
export const WORKER_SOURCE = [
  `'use strict';`,
  ERROR_SHAPES,
  OUTPUT_CAPTURE,
  HANDLER_LOADER,
  INVOCATION,
  'startEnvironment();',
].join('\n');
