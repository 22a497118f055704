import type { JsonObject } from '../../../json/json';
import type { Item } from '../table/attribute-value';

/** One thing that a request changes, in the form in which it is kept. */
export type Change =
  | { readonly kind: 'item'; readonly table: string; readonly key: string; readonly item: Item | undefined }
  | TableChange
  | TransactionChange;

/** A table that is made, has other settings, or is deleted. `createdAt` in epoch seconds. */
export type TableChange =
  | {
      readonly kind: 'table';
      readonly table: string;
      readonly request: JsonObject;
      readonly createdAt: number;
      /** @default - those of the request */
      readonly settings?: TableSettings;
    }
  | { readonly kind: 'noTable'; readonly table: string };

/** What of a table can be changed when it is there. */
export interface TableSettings {
  readonly tags: readonly (readonly [key: string, value: string])[];
  /** The attribute for expiry, which has no effect here; absent where it is disabled. */
  readonly timeToLive?: string;
}

/** A client token of a transaction, with a digest of what it asked for and when, or one that counts no longer. */
export type TransactionChange =
  | { readonly kind: 'transaction'; readonly token: string; readonly content: string; readonly at: number }
  | { readonly kind: 'noTransaction'; readonly token: string };

/** What a request came to, in memory. */
export interface CarriedOut {
  readonly output: JsonObject;
  /** The values to keep; nothing if the request only read. */
  readonly changes?: readonly Change[];
  /** Takes back what was changed, when everything that was changed later has been taken back. */
  readonly undo?: () => void;
}
