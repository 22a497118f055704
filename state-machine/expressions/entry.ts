import { expression } from '../contract/jsonata';

/** A new UUID, for the variable `entry` of an execution that may enter the states several times. */
export const NEW_ENTRY = expression('$uuid()');
