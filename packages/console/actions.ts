/** An action of an operator, with all facts to know before it. */
export interface ActionItem {
  /** `Redrive the owner`: no two of a view have the same. */
  readonly title: string;
  /**
   * The one that fits how things stand, one that can run a step again, one that is for rare cases or only for tests, or
   * none of these.
   */
  readonly rank: 'recommended' | 'usual' | 'danger' | 'rare';
  /** What it writes, and what that leads to: sentences that go on from "This". */
  readonly writes: readonly string[];
  /** The points to consider. */
  readonly dangers: readonly string[];
  /** The conditions under which nothing is written after all: sentences that go on from "It is rejected if". */
  readonly rejectedIf: readonly string[];
  /** Why it would be rejected as things are; null where it would not. */
  readonly rejection: string | null;
  /** What the person gives. */
  readonly fields: readonly ActionField[];
  /** To be sent back as it is. */
  readonly request: ActionRequest;
}

/** Something that a person gives: a line, JSON, or one of a few. */
export interface ActionField {
  readonly name: string;
  readonly label: string;
  readonly kind: 'line' | 'json' | 'choice';
  /** What it has at first. */
  readonly value: string;
  /** Of a choice: what is sent, and what is shown. */
  readonly choices?: readonly (readonly [value: string, words: string])[];
}

/** The request to the server. Keys are as their records have them. */
export type ActionRequest =
  | {
      readonly action: 'redrive';
      readonly workflow: string;
      readonly key: string;
      readonly isForced: boolean;
      readonly shown: ShownRecord;
    }
  | {
      readonly action: 'release';
      readonly workflow: string;
      readonly key: string;
      readonly isForced: boolean;
      readonly isDeleted: boolean;
      readonly shown: ShownRecord;
    }
  /** Of a held key; `result` and `reason` are fields. */
  | {
      readonly action: 'complete';
      readonly workflow: string;
      readonly key: string;
      readonly shown: ShownRecord;
    }
  | { readonly action: 'stop'; readonly executionArn: string; readonly isForGood: boolean }
  | {
      readonly action: 'deliver';
      readonly workflow: string;
      readonly key: string;
      readonly executionArn: string;
    }
  | { readonly action: 'start'; readonly workflow: string }
  | {
      readonly action: 'resend';
      readonly workflow: string;
      readonly queue: string;
      readonly messageId: string;
    }
  /** Several keys at once; `isPlan` asks what would be done, and does nothing. */
  | { readonly action: 'redeliver'; readonly keys: readonly ChosenKey[]; readonly isPlan: boolean }
  /** All messages of a queue that lie there for this reason. */
  | {
      readonly action: 'resendAll';
      readonly workflow: string;
      readonly queue: string;
      readonly reason: string;
    }
  // Of a stack that runs in the server's own process.
  | { readonly action: 'sendEvent' }
  | { readonly action: 'skipTime' }
  | { readonly action: 'armFault'; readonly stateMachine: string }
  | { readonly action: 'disarmFault'; readonly id: string };

/** A key that was chosen in a list. */
export interface ChosenKey {
  readonly workflow: string;
  readonly key: string;
  /** The delivery that was rejected, if that was chosen. */
  readonly executionArn: string | null;
}

/** A record as it was shown: where it is another by now, nothing is written. */
export interface ShownRecord {
  readonly owner: string;
  readonly attempt: number;
  readonly status: string;
  /** Null where it has none. */
  readonly error: string | null;
}

/** What the page sends. */
export interface ActionCall {
  readonly request: ActionRequest;
  /** The fields, by their names. */
  readonly values: Readonly<Record<string, string>>;
  /** The same when it is sent again: what begins something begins it once. */
  readonly once: string;
}

/** What came of it. */
export interface ActionOutcome {
  readonly kind: 'done' | 'rejected';
  /** For a person. */
  readonly text: string;
}
