import type { Answer } from '../actions/answer';
import { type CommandLine, readCommandLine } from '../program/command-line';
import type { OptionTable } from '../program/options';
import { usage } from '../program/rejection';
import type { Terminal } from '../terminal';

/** What a command has of the process that runs it. */
export interface Session {
  readonly terminal: Terminal;
  readonly env: NodeJS.ProcessEnv;
  /** Aborts when the program is to end. */
  readonly ended: AbortSignal;
}

/** All that the program knows of a command. */
export interface Command {
  readonly name: string;
  /** Its line in the help of the program: how it is called, and what it does. */
  readonly line: readonly [call: string, does: string];
  /** Its own help. */
  readonly help: string;
  /** Whether it serves until it is ended: it writes what it serves, and its complaints have its name in front. */
  readonly isServer: boolean;
  /** Whether it only reads, so that nothing was changed if it is interrupted. */
  readonly isReadOnly: boolean;
  /** Reads what follows its name; undefined if help is asked for. @throws Rejection if that is not understood */
  read(args: readonly string[], env: NodeJS.ProcessEnv): Task | undefined;
}

/** What a command line asks a command for. */
export interface Task {
  readonly wanted: unknown;
  /** Does it. Gives the answer, or only the exit code where all is written. @throws Rejection where it cannot be done */
  run(session: Session): Promise<Answer | number>;
}

/** A command as its file declares it. */
interface Declaration<Table extends OptionTable, Wanted>
  extends Omit<Command, 'read' | 'isServer' | 'isReadOnly'>,
    Partial<Pick<Command, 'isServer' | 'isReadOnly'>> {
  readonly options: Table;
  /** What may stand there beside options, such as `file`. */
  readonly positional?: string;
  /** What the command line asks for. @throws Rejection for options that do not go together */
  wantedIn(line: CommandLine<Table>, env: NodeJS.ProcessEnv): Wanted;
  run(wanted: Wanted, session: Session): Promise<Answer | number>;
}

/** A command that reads its options by their table. */
export function command<Table extends OptionTable, Wanted>({
  options,
  positional,
  wantedIn,
  run,
  ...about
}: Declaration<Table, Wanted>): Command {
  return {
    isServer: false,
    isReadOnly: false,
    ...about,
    read(args, env) {
      const read = readCommandLine(args, options, positional === undefined ? {} : { positional });
      if (read.kind === 'help') return undefined;
      if (read.kind === 'usage') throw usage(read.message);
      const wanted = wantedIn(read.options, env);
      return { wanted, run: session => run(wanted, session) };
    },
  };
}
