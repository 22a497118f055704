import type { KeyProblem } from '../key/key-problem';
import { problemOnCommandLine } from '../key/key-problem-words';

/** How a front end calls what a start is made of. */
export interface StartWords {
  /** The input, as the subject of a sentence. */
  readonly input: string;
  /** Where somebody sees who has used the key. */
  readonly whoUsedIt: string;
  /** An option of `startOnce`, or a place within it such as `.detail[0]`; undefined where nobody can set it. */
  option(name: string, place: string): string | undefined;
  /** A sentence that says that nothing was started, why, and what to do. */
  problem(problem: KeyProblem): string;
}

const FLAGS: Readonly<Record<string, string>> = {
  stateMachineArn: '--state-machine',
  table: '--table',
  scope: '--scope',
  key: 'KEY',
  waitUpTo: '--wait',
  input: '--input',
};

/** With the options of the command line. */
export const ON_COMMAND_LINE: StartWords = {
  input: '--input',
  whoUsedIt: 'see `onceflow show` for who used it',
  option: (name, place) => FLAGS[name] && (name === 'input' ? `--input${place}` : FLAGS[name]),
  problem: problemOnCommandLine,
};
