/** Why an assembly cannot be run: `where` is a file and the path inside it, `message` says what to do. */
export interface Problem {
  readonly where: string;
  readonly message: string;
}
