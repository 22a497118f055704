import type { ModelState } from './model/model-state';

/** The names of the steps of recovery: those of a recovery that gets an execution, and of one that is at work. */
export function ofRecovery(
  { recoveries }: ModelState,
  subject: string,
  detail: string,
): Readonly<Record<string, string>> {
  const who = `${recoveries[Number(subject) - 1]?.redelivery ? 'redelivery' : 'recovery'} ${subject}`;
  return {
    'tell-redelivery': `Redelivery gets the event that E${subject} failed${TOLD[detail] ?? ''}.`,
    'untold-redelivery': `FAULT: the event of the failure of E${subject} is lost.`,
    tell: `Recovery gets the event of an end of E${subject}${TOLD[detail] ?? ''}.`,
    search: `The search finds what ${who} is for, and begins it anew.`,
    recover: `${capital(who)} makes its request and gets the answer.`,
    wake: `${capital(who)} has let its time pass.`,
    untold: `FAULT: the event of the end of E${subject} is lost.`,
    'pending-recovery': `${capital(who)} is answered that the owner was redriven and has not gone on yet.`,
    'slow-recovery': `FAULT: ${who} reads the record, and hears of that later.`,
    'stop-recovery': `FAULT: ${who} is stopped.`,
    'throttle-recovery': `FAULT: the request of ${who} is throttled until no retry is left.`,
    'old-recovery': `${capital(who)} reads the record as it was before its last change.`,
    'lose-recovery': `FAULT: ${who} makes its request, and loses the answer.`,
    'stale-recovery': `FAULT: ${who} is answered with an old state of the execution (${detail.slice(1)}).`,
  };
}

/** The fault in the input of recovery. */
const TOLD: Readonly<Record<string, string>> = {
  ':before': ', which was redriven since',
  ':again': ', a second time (FAULT)',
  ':no-input': ', without its input (FAULT)',
  ':no-error': ', without its error (FAULT)',
};

/** What the steps of requests by HTTP are called, by their verbs; `subject` is the delivery. */
export function ofRequests(subject: string, detail: string): Readonly<Record<string, string>> {
  const who = `the front door for request ${subject}`;
  return {
    request: `Request ${subject} comes by HTTP${detail.startsWith('*') ? ', with another payload' : ''}.`,
    serve: `The front door makes its call for request ${subject} and gets the answer.`,
    'old-request': `The front door reads the record for request ${subject} as it was before its last change.`,
    'wake-request': `The front door has waited for request ${subject}.`,
    'over-request': `The time of ${who} is over.`,
    ask: `The caller of request ${subject}, which was accepted, asks for its answer.`,
    'stop-request': `FAULT: ${who} is stopped, or its time is over: there is no answer.`,
    'throttle-request': `FAULT: the call of ${who} is throttled until no retry is left.`,
    'lose-request': `FAULT: the call of ${who} is made, its answer is lost, and it is made again.`,
    'slow-request': `FAULT: the call of ${who} takes nearly all of its time.`,
  };
}

/** Whether a step with this verb is of the front door. */
export function isOfRequest(verb: string): boolean {
  return /^(request|serve|ask)$|-request$/.test(verb);
}

/** A text that begins with a capital letter. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What the steps of dispatchers mean; `other` says that the payload is another one. */
export function ofDispatchers(subject: string, other: string): Readonly<Record<string, string>> {
  return {
    batch: `Deliveries ${subject} and ${Number(subject) + 1} come to the dispatcher in one list${other}.`,
    send: `Delivery ${subject} comes to the dispatcher${other}.`,
    dispatch: `The dispatcher of delivery ${subject} makes its request and gets the answer.`,
    'old-dispatch': `The dispatcher of delivery ${subject} reads the record as it was before its last change.`,
    'throttle-dispatch': `FAULT: the dispatcher of delivery ${subject} is throttled until no retry is left.`,
    'leave-dispatch': `FAULT: the source of delivery ${subject} does not wait any longer for its execution, which goes on.`,
    'too-long-dispatch': `FAULT: the start for delivery ${subject} is too long.`,
    'lose-dispatch': `FAULT: the dispatcher of delivery ${subject} starts an execution, and loses the answer.`,
  };
}
