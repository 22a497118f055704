/** The AWS environment of state machines and activities that are created by name. */
export interface Environment {
  readonly partition: string;
  readonly region: string;
  readonly account: string;
}

/** The account and region of state machines by default. */
export const DEFAULT_ENVIRONMENT: Environment = {
  partition: 'aws',
  region: 'us-east-1',
  account: '000000000000',
};
