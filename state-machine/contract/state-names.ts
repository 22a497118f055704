// The names by which an execution's history tells where it was. A test holds them against the rendered definition.

/** The state that runs the business step. */
export const STEP_STATE = 'Business step';

/** The states that a claimant passes before its step. */
export const BEFORE_THE_STEP = [
  'Claim record',
  'Key readable?',
  'Read record',
  'Judge record',
  'Ask about the owner',
  'Is the owner alive?',
  "Read the owner's history",
  'Cut off in the step?',
  'Redrive the owner',
  'Finalize for the owner',
  "Return the owner's result",
  'Park the record',
  'Waited long enough?',
  'Wait for the owner',
  'Take over',
] as const;

/** The states that it passes after its step. */
export const AFTER_THE_STEP = [
  'Is the outcome certain?',
  'Let the step end',
  'Finalize: completed',
  'Finalize: result elsewhere',
  'Finalize: failed',
  'Finalize: in doubt',
] as const;

/** The Fail states before the step. */
export const REFUSALS_BEFORE_THE_STEP = [
  'Missing key',
  'Invalid payload',
  'Payload mismatch',
  'Stored result unavailable',
  'In progress',
  'Claim contended',
] as const;

/** The Fail states that it may end in after its step. */
export const FAILS_AFTER_THE_STEP = ['In doubt', 'Claim lost', 'Business step failed'] as const;

/** The states that answer a duplicate with what the record holds. */
export const STORED_ANSWERS = ['Return stored result', 'Return stored failure'] as const;
