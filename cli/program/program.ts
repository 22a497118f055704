import { withoutSecrets } from './address';
import { EXIT } from './exit';
import { nodeProblem } from './node-version';

/** A command line that was read: what to do, a request for help, or what is wrong with it. */
export type Parsed<Options> =
  | { readonly kind: 'options'; readonly options: Options }
  | { readonly kind: 'help' }
  | { readonly kind: 'usage'; readonly message: string };

/** A program that is started by a script of `package.json`. */
export interface Program<Options> {
  /** Stands before all that it complains of. */
  readonly name: string;
  /** What tells its help, such as `npm run demo -- --help`. */
  readonly helpCommand: string;
  readonly help: string;
  parse(args: readonly string[]): Parsed<Options>;
  /** Does what was asked for. Gives the exit code. */
  run(options: Options): Promise<number>;
}

/**
 * Runs the program on the command line of this process, and sets the exit code when it is done: the process ends on its
 * own. What it throws is a fault of its own, and told in one line.
 */
export function runProgram<Options>(program: Program<Options>): void {
  hideSdkNotice();
  const problem = nodeProblem(process.versions.node);
  if (problem !== undefined) {
    process.exitCode = reject(program, problem);
    return;
  }
  answer(program, process.argv.slice(2)).then(
    code => {
      process.exitCode = code;
    },
    (error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      process.stderr.write(`${program.name}: ${withoutSecrets(message)}\n`);
      process.exitCode = EXIT.fault;
    },
  );
}

/** Does what a command line asks for: help, or the program's work. Says what is wrong with it. Gives the exit code. */
async function answer<Options>(program: Program<Options>, args: readonly string[]): Promise<number> {
  const parsed = program.parse(args);
  switch (parsed.kind) {
    case 'help':
      process.stdout.write(program.help);
      return EXIT.done;
    case 'usage':
      return reject(program, parsed.message);
    case 'options':
      return program.run(parsed.options);
  }
}

/** Names the change that must come before the work, and the command for help. Gives the exit code. */
export function reject(
  { name, helpCommand }: Pick<Program<unknown>, 'name' | 'helpCommand'>,
  message: string,
): number {
  process.stderr.write(`${name}: ${withoutSecrets(message)}\nSee ${helpCommand}\n`);
  return EXIT.usage;
}

/** Keeps the SDK's notice about coming versions of Node out of the output, unless the user has asked for it. */
export function hideSdkNotice(): void {
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
}
