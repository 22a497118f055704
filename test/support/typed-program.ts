import path from 'node:path';
import ts from 'typescript';

/** The root of the repository. */
export const ROOT = path.join(__dirname, '../..');

/** What the compiler knows of a file of this repository, and of all that it imports. */
export function typedProgram(file: string): {
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
} {
  const { config } = ts.readConfigFile(path.join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT, { noEmit: true });
  const program = ts.createProgram([path.join(ROOT, file)], { ...options, types: [] });
  return { program, checker: program.getTypeChecker() };
}

/** Whether a type is that of a construct, and not of a state, which is never a resource. */
export function isConstruct(type: ts.Type, checker: ts.TypeChecker): boolean {
  const node = type.getProperty('node');
  const isState = type.getProperty('stateId') !== undefined;
  return node !== undefined && !isState && checker.getTypeOfSymbol(node).symbol?.name === 'Node';
}
