import { ERROR_SHAPES } from './error-shapes';
import { HANDLER_LOADER } from './handler-loader';
import { INVOCATION } from './invocation';
import { OUTPUT_CAPTURE } from './output-capture';

/**
 * The program of one execution environment, to be started with `new Worker(source, { eval: true })`.
 *
 * It is text and not a module, because a worker gets none of the host's loader: a path to TypeScript would
 * start under tsx and nowhere else, a path to JavaScript would exist only after a build. A function's
 * `toString()` is no way out either, since esbuild and coverage tools leave calls in it to names that the
 * worker does not have. The parts share one scope; each says what it defines.
 */
export const WORKER_SOURCE = [
  `'use strict';`,
  ERROR_SHAPES,
  OUTPUT_CAPTURE,
  HANDLER_LOADER,
  INVOCATION,
  'startEnvironment();',
].join('\n');
