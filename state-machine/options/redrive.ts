/**
 * What redrives an owner that has ended.
 *
 * @example
 * redrive: Redrive.byFunction()
 */
export class Redrive {
  /** A small function of this package: the only function of the workflow except the business step's. */
  static byFunction(): Redrive {
    return new Redrive(false);
  }

  /**
   * The state machine itself, by the integration `aws-sdk:sfn:redriveExecution`: no function is deployed. That AWS
   * accepts it as a task follows from its rule for SDK integrations, and has not been tested. If AWS rejects it, the
   * stack does not deploy.
   */
  static direct(): Redrive {
    return new Redrive(true);
  }

  private constructor(
    /** True if no function is deployed. */
    readonly isDirect: boolean,
  ) {}
}
