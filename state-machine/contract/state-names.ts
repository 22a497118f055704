// State names are a contract: an execution's history, a redrive and `onceflow show` go by them.

/** The names of the workflow's states, in the order in which the story of a key passes them. */
export const STATE = {
  makeClaimId: 'Make a claim ID',
  claim: 'Claim record',
  step: 'Business step',
  completed: 'Record the result',
  storeResult: 'Store result',
  resultStored: 'Record where the result is',
  sendResult: 'Send result',
  resultElsewhere: 'Record that it succeeded',
  sendPlaceOfResult: 'Send where the result is',
  isOutcomeCertain: 'Is the outcome certain?',
  letStepEnd: 'Let the step end',
  failed: 'Record the failure',
  sendFailure: 'Send failure',
  stepFailed: 'Business step failed',
  inDoubt: 'Hold the key for review',
  sendDoubt: 'Send doubt',
  claimLost: 'Claim lost',

  sendInvalidEvent: 'Send invalid event',
  invalidEvent: 'Invalid event',

  read: 'Read record',
  whatDoesRecordSay: 'What does the record say?',
  returnResult: 'Return stored result',
  readResult: 'Read stored result',
  returnFailure: 'Return stored failure',
  sendForeignRecord: 'Send foreign record',
  foreignRecord: 'Foreign record',
  sendPayloadMismatch: 'Send payload mismatch',
  nameFields: 'Name the fields that differ',
  payloadMismatch: 'Payload mismatch',
  heldForReview: 'Held for review',
  returnOwnersResult: "Return the owner's result",
  resultUnavailable: 'Result unavailable',
  askAboutOwner: 'Ask about the owner',
  isOwnerRunning: 'Is the owner running?',
  letOwnersStepEnd: "Let the owner's step end",
  redrive: 'Redrive the owner',
  takeOver: 'Take over',
  callRecovery: 'Call recovery',
  ownerInDoubt: 'Hold the owner for review',
  sendOwnersDoubt: "Send the owner's doubt",
  hasWaited: 'Waited long enough?',
  wait: 'Wait for the owner',
  inProgress: 'In progress',
  redrivesExhausted: 'Redrives exhausted',
} as const;

export type StateName = (typeof STATE)[keyof typeof STATE];

export const DISPATCHER_STATE = {
  eachRecord: 'For each record',
  takeRecord: 'Take the record',
  malformed: 'Malformed',
  keepEach: 'Keep each',
  makeInput: 'Make the input',
  run: 'Run the workflow',
  isFinal: 'Is its end final?',
  delivered: 'Delivered',
  readKey: 'Read the key',
  start: 'Start by key',
  wasRunning: 'Was it running before?',
  started: 'Started',
  read: 'Read record',
  isDone: 'Has it been done?',
  duplicate: 'Duplicate',
  startAgain: 'Start again',
  startedBefore: 'Started before',
  startWithoutKey: 'Start without a key',
  keepEvent: 'Keep the event',
  notStarted: 'Not started',
  notFinished: 'Not finished',
  notValid: 'Not valid',
} as const;

export type DispatcherStateName = (typeof DISPATCHER_STATE)[keyof typeof DISPATCHER_STATE];

export const FRONT_DOOR_STATE = {
  isQuestion: 'Is it a question?',
  parseBody: 'Parse the body',
  findKey: 'Find the key',
  isKeyUsable: 'Is the key usable?',
  makeInput: 'Make the input',
  nameExecution: 'Name the execution',
  sayWhere: 'Say where to ask',
  startRequest: 'Start the request',
  isTimeLeft: 'Is there time left?',
  letItWork: 'Let it work',
  readRecord: 'Read its record',
  whatBecame: 'What became of it?',
  startAnew: 'Start anew',
  wasStarted: 'Was it started?',
  readQuestion: 'Read the question',
  findRecord: 'Find the record',
  readStored: 'Read the stored result',
  readOwner: "Read the owner's end",
  isOutputThere: 'Is its output there?',
  doesItFit: 'Does the answer fit?',
  nameFields: 'Name the fields that differ',
  mapResult: 'Map the result',
  result: 'Answer: the result',
  stepFailed: 'Answer: the step failed',
  accepted: 'Answer: accepted',
  inProgress: 'Answer: in progress',
  missingKey: 'Answer: missing key',
  invalidKey: 'Answer: invalid key',
  invalidPayload: 'Answer: invalid payload',
  tooLong: 'Answer: too long',
  payloadMismatch: 'Answer: payload mismatch',
  noPrincipal: 'Answer: no principal',
  inDoubt: 'Answer: in doubt',
  resultUnavailable: 'Answer: result unavailable',
  notStarted: 'Answer: not started',
  outcomeUnknown: 'Answer: outcome unknown',
  foreignRecord: 'Answer: foreign record',
  notFound: 'Answer: not found',
} as const;

export type FrontDoorStateName = (typeof FRONT_DOOR_STATE)[keyof typeof FRONT_DOOR_STATE];

export const RECOVERY_STATE = {
  isSomethingToRecover: 'Is there something to recover?',
  recoverFirst: 'Recover the first',
  readInput: 'Read the input',
  read: 'Read record',
  whatIsDue: 'What is due?',
  wait: 'Wait until nothing can act',
  ask: 'Ask about the owner',
  readHistory: "Read the owner's history",
  whereDidItStop: 'Where did it stop?',
  redrive: 'Redrive the owner',
  complete: 'Complete the record',
  release: 'Release the record',
  hold: 'Hold for review',
  deliver: 'Deliver again',
  nothingLeft: 'Nothing left to recover',
  notifyGivenUp: 'Notify',
  givenUp: 'Given up',
} as const;

/** The names of the states that recover executions of a team's own state machine, beside those of recovery. */
export const MACHINE_RECOVERY_STATE = {
  readHistory: 'Read its history',
  whereDidItFail: 'Where did it fail?',
  askAboutDelivery: 'Ask about the delivery',
  whatBecameOfIt: 'What has become of it?',
  letItWork: 'Let the delivery work',
} as const;

/** The names of the states that deliver a failed event again, in order. */
export const REDELIVERY_STATE = {
  isSomethingToRecover: RECOVERY_STATE.isSomethingToRecover,
  readInput: RECOVERY_STATE.readInput,
  read: RECOVERY_STATE.read,
  hasFailed: 'Has its step failed?',
  wait: 'Wait for the next delivery',
  deliver: RECOVERY_STATE.deliver,
  nothingLeft: RECOVERY_STATE.nothingLeft,
  notifyGivenUp: RECOVERY_STATE.notifyGivenUp,
  givenUp: RECOVERY_STATE.givenUp,
} as const;

/** The names of the states of the search for what recovery was not told of, in order. */
export const SEARCH_STATE = {
  findLastSearch: 'Find the last search',
  list: 'List what has ended',
  whatNext: 'What is next?',
  recover: 'Recover those found',
  listRunning: 'List what is running',
  isAllRead: 'Is all of it read?',
  publish: 'Publish the age',
  searched: 'Searched',
} as const;

/** The states that a claimant passes before its step. */
export const BEFORE_THE_STEP: readonly StateName[] = [
  STATE.claim,
  STATE.read,
  STATE.whatDoesRecordSay,
  STATE.askAboutOwner,
  STATE.isOwnerRunning,
  STATE.letOwnersStepEnd,
  STATE.redrive,
  STATE.callRecovery,
  STATE.returnOwnersResult,
  STATE.ownerInDoubt,
  STATE.hasWaited,
  STATE.wait,
  STATE.takeOver,
];

/** The states that it passes after its step. */
export const AFTER_THE_STEP: readonly StateName[] = [
  STATE.isOutcomeCertain,
  STATE.letStepEnd,
  STATE.completed,
  STATE.resultElsewhere,
  STATE.failed,
  STATE.inDoubt,
];

/** The states that read a result out of a bucket, before the step, if there is one. */
export const RESULTS_BEFORE_THE_STEP: readonly StateName[] = [STATE.readResult];

/** Those that put it there, after the step. */
export const RESULTS_AFTER_THE_STEP: readonly StateName[] = [STATE.storeResult, STATE.resultStored];

/** The states that send to the failure destination before the step, if there is one. */
export const SENDS_BEFORE_THE_STEP: readonly StateName[] = [
  STATE.sendInvalidEvent,
  STATE.sendForeignRecord,
  STATE.sendPayloadMismatch,
  STATE.sendOwnersDoubt,
];

/** Those that it passes after its step. */
export const SENDS_AFTER_THE_STEP: readonly StateName[] = [STATE.sendFailure, STATE.sendDoubt];

/** The states that send to the success destination, if there is one. */
export const SENDS_OF_RESULTS: readonly StateName[] = [STATE.sendResult, STATE.sendPlaceOfResult];

/** The states that reject a delivery, before the step. */
export const REJECTIONS_BEFORE_THE_STEP: readonly StateName[] = [
  STATE.invalidEvent,
  STATE.foreignRecord,
  STATE.nameFields,
  STATE.payloadMismatch,
  STATE.resultUnavailable,
  STATE.inProgress,
  STATE.redrivesExhausted,
];

/** The Fail states that it may end in after its step. */
export const FAILS_AFTER_THE_STEP: readonly StateName[] = [
  STATE.heldForReview,
  STATE.claimLost,
  STATE.stepFailed,
];

/** The states that answer a duplicate with what the record holds. */
export const STORED_ANSWERS: readonly StateName[] = [
  STATE.returnResult,
  STATE.readResult,
  STATE.returnFailure,
];
