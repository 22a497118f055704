/** What the exploration assumes of AWS and can do without, to show what breaks then. */
export const ASSUMPTIONS = {
  'requests-end': 'a request whose sender has given it up is carried out before the grace is over, or never',
  'step-ends': 'a run of the step ends before the grace of its execution is over',
  'owner-visible': 'DescribeExecution knows of an execution a quarter of an hour after its start',
  'client-token': 'a client token stands for its redrive for a quarter of an hour',
} as const;

/** The name of one of {@link ASSUMPTIONS}. */
export type Assumption = keyof typeof ASSUMPTIONS;
