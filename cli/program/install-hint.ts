/**
 * How to install a package of this repository, as a part of a sentence. It names no registry: the packages are in none
 * yet, and a package of the same name in a registry would be a stranger's.
 *
 * @example
 * ```ts
 * // 'install @onceflow/local from its tarball: `npm pack --workspaces` in a clone of onceflow makes it'
 * installHint('@onceflow/local');
 * ```
 */
export function installHint(packageName: string): string {
  return `install ${packageName} from its tarball: \`npm pack --workspaces\` in a clone of onceflow makes it`;
}
