/** What every program of the repository ends with. */
export const EXIT = {
  /** The request is done. */
  done: 0,
  /** It could not be done, or a check has failed. */
  failed: 1,
  /** The command line, or a file that it names, must change first. */
  usage: 2,
  /** A fault of the program. */
  fault: 3,
  /** Ended by Ctrl-C or SIGTERM before it was done. */
  interrupted: 130,
} as const;

/** Why `onceflow result` has none, besides those. */
export const RESULT_EXIT = {
  noRecord: 4,
  /** The step, or the record of it, has not finished: there may be one later. */
  inProgress: 5,
  /** The step has failed, or is in doubt. */
  failed: 6,
  /** The record has expired, or the execution that had the result is not there to be asked. */
  gone: 7,
  /** The object in the bucket is not there, or is another one. */
  objectLost: 8,
  notPermitted: 9,
} as const;
