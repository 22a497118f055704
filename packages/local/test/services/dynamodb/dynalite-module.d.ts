// dynalite ships no types. Only what is used here.
declare module 'dynalite' {
  import type { Server } from 'node:http';

  interface Options {
    /** Directory of the store; absent: in memory. */
    readonly path?: string;
    /** How long a table stays CREATING, DELETING or UPDATING, in milliseconds. */
    readonly createTableMs?: number;
    readonly deleteTableMs?: number;
    readonly updateTableMs?: number;
  }

  export default function dynalite(options?: Options): Server;
}
