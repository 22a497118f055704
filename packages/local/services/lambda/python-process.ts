import { accessSync, constants, readFileSync } from 'node:fs';
import path from 'node:path';
import { EnvironmentProcess, type ProcessEvents } from './environment-process';
import { environmentVariables } from './environment-variables';
import type { FunctionSpec } from './function-spec';
import { RESPONSE_BYTES_MAX } from './outcome';
import { PROGRAMS } from './programs';

const INTERPRETER = process.platform === 'win32' ? 'python3.exe' : 'python3';

/** Whether this machine has an interpreter for functions in Python, of whatever version. */
export function hasPython(): boolean {
  return (process.env['PATH'] ?? '').split(path.delimiter).some(directory => {
    try {
      accessSync(path.join(directory, INTERPRETER), constants.X_OK);
      return directory !== '';
    } catch {
      return false;
    }
  });
}

/** A process that loads a handler of Python. */
export function startPythonProcess(
  spec: FunctionSpec,
  extra: Readonly<Record<string, string>>,
  events: ProcessEvents,
): EnvironmentProcess {
  const started = new EnvironmentProcess({
    command: INTERPRETER,
    // As a text, so that the frames of this program have no file name in a trace.
    arguments: ['-u', '-c', readFileSync(path.join(PROGRAMS, 'python.py'), 'utf8')],
    environment: pythonVariables(spec, extra),
    directory: spec.directory,
    bounds: spec,
  });
  started.listen(events);
  return started;
}

function pythonVariables(
  spec: FunctionSpec,
  extra: Readonly<Record<string, string>>,
): Record<string, string> {
  const { NODE_PATH: _, ...variables } = environmentVariables(spec, extra);
  return {
    ...variables,
    // No such names lead to this machine.
    AWS_DISABLE_HOST_PREFIX_INJECTION: 'true',
    // The code is the assembly's, and nothing is written to it.
    PYTHONDONTWRITEBYTECODE: '1',
    PYTHONIOENCODING: 'utf-8',
    ONCEFLOW_FUNCTION: JSON.stringify({ arn: spec.arn, responseBytesMax: RESPONSE_BYTES_MAX }),
  };
}
