/** What a workflow takes for the key of an input: the key's text, that it takes none, or that nobody can say here. */
export type KeyTaken =
  | { readonly kind: 'key'; readonly text: string }
  | { readonly kind: 'missing' }
  /** `why` continues a sentence after a colon. */
  | { readonly kind: 'unclear'; readonly why: string };

/** All that an evaluation depends on, in a form that can be sent to a thread. */
export interface KeyJob {
  /** What the state machine evaluates for the record's key, without `{% %}`. */
  readonly jsonata: string;
  /** What stands before the key in its result. */
  readonly scope: string;
  readonly input: unknown;
}

/** An evaluation that was given up says nothing of how it ends on the service. */
export const TOO_MUCH: KeyTaken = {
  kind: 'unclear',
  why: 'its evaluation takes more time or memory than it may here',
};

/** What a thread that evaluates keys sends: that it has started, then the result of each job. */
export type Answer = 'ready' | KeyTaken;
