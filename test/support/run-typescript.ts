import path from 'node:path';

/** The options with which Node.js runs a program of this repository, wherever that is started. */
export const RUN_TYPESCRIPT = ['--require', path.join(__dirname, 'typescript.js')] as const;
