/** The oldest Node.js that runs the programs and packages of this repository, as `engines` in `package.json` has it. */
const OLDEST = [20, 6] as const;

/**
 * What to do if this version of Node.js is too old for our programs, as one sentence; undefined if it is not.
 *
 * @param version - as `process.versions.node` has it, such as `18.19.1`
 */
export function nodeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return `onceflow needs Node.js ${OLDEST.join('.')} or later (22 or 24 is better), and this is Node.js ${version}. Install a newer one`;
}
