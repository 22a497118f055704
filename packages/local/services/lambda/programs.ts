import path from 'node:path';

/** Where the programs of processes are. In the package, the build copies them beside the bundle. */
export const PROGRAMS = path.join(__dirname, 'programs');
