/** The name of the stack of a verification, and the beginning of whatever else the command makes. */
export const STACK_NAME = 'onceflow-verify';
