import type { JsonObject } from '../../../json/json';
import type { Item } from '../table/attribute-value';

/** One thing that a request changes, in the form in which it is kept. */
export type Change =
  | { readonly kind: 'item'; readonly table: string; readonly key: string; readonly item: Item | undefined }
  | TableChange;

/** A table that is made or deleted. `createdAt` in epoch seconds. */
export type TableChange =
  | {
      readonly kind: 'table';
      readonly table: string;
      readonly request: JsonObject;
      readonly createdAt: number;
    }
  | { readonly kind: 'noTable'; readonly table: string };

/** What a request came to, in memory. */
export interface CarriedOut {
  readonly output: JsonObject;
  /** What is to be kept; nothing where it only read. */
  readonly changes?: readonly Change[];
  /** Takes back what was changed, as far as nothing later has replaced it. */
  readonly undo?: () => void;
}
