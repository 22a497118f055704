/** State that is not as it was written any more: every problem found, by name. */
export class DamagedState extends Error {
  override readonly name = 'DamagedState';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('; '));
    this.problems = problems;
  }
}
