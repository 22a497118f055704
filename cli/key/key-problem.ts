import type { InputPath } from '../input-paths';

/** Why a workflow is not started for a key with an input. Each front end has words of its own for it. */
export type KeyProblem = PartsProblem | InputKeyProblem;

/** The workflow has keys of another form: so many parts, or one value. */
export interface PartsProblem {
  readonly kind: 'parts';
  /** The workflow's. */
  readonly name: string;
  readonly expected: number | 'one';
  readonly given: number;
}

/** The workflow takes no key of the input, or another; or nobody can say here which. */
export type InputKeyProblem =
  | { readonly kind: 'missing'; readonly name: string; readonly keyPaths: readonly InputPath[] | undefined }
  /** `why` continues a sentence after a colon. */
  | { readonly kind: 'unclear'; readonly name: string; readonly why: string }
  | {
      readonly kind: 'another';
      readonly name: string;
      readonly keyPaths: readonly InputPath[] | undefined;
      /** The text of the key that the workflow takes of the input. */
      readonly taken: string;
      /** The text of the key that was named. */
      readonly text: string;
    };
