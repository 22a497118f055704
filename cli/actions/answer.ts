import type { WorkflowAccess } from '../aws/workflow';
import type { Style, Terminal } from '../terminal';

/** What a command works with: the workflow, the clients that reach it, and the person who asked. */
export interface CommandContext extends WorkflowAccess {
  readonly terminal: Terminal;
}

/** What a command answers, in both forms. */
export interface Answer {
  /** The exit code. */
  readonly code: number;
  /** For scripts: one JSON document, or its text. */
  readonly json: object | string;
  /** For people. */
  readonly text: (style: Style) => string;
}
