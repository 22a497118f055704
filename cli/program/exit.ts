/** What every program of the repository ends with. */
export const EXIT = {
  /** What was asked for is done. */
  done: 0,
  /** It could not be done, or a check has failed. */
  failed: 1,
  /** The command line, or what it names, has to be changed first. */
  usage: 2,
  /** A fault of the program. */
  fault: 3,
  /** Ended by Ctrl-C or SIGTERM before it was done. */
  interrupted: 130,
} as const;
