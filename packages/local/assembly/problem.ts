/** Why an assembly cannot be run: `where` is a file and the path inside it, `message` says what to do. */
export interface Problem {
  readonly where: string;
  readonly message: string;
  /** True where AWS would take it, and only the local stack does not run the resource. */
  readonly isForeign?: true;
}
