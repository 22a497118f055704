/** The AWS environment of state machines and activities that are created by name. */
export interface Environment {
  readonly partition: string;
  readonly region: string;
  readonly account: string;
}
