/** The AWS environment of state machines and activities that are created by name. */
export interface Environment {
  readonly partition: string;
  readonly region: string;
  readonly account: string;
}

/** Where state machines are that nobody says anything of. */
export const DEFAULT_ENVIRONMENT: Environment = {
  partition: 'aws',
  region: 'us-east-1',
  account: '000000000000',
};
