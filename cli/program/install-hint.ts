/**
 * How to install a package of this repository, as a part of a sentence. It names no registry: the packages are in none
 * yet, and a package of the same name in a registry would be a stranger's.
 *
 * @example
 * ```ts
 * // 'install @onceflow/local from its tarball, which `npm pack --workspaces` writes in a clone of onceflow'
 * installHint('@onceflow/local');
 * ```
 */
export function installHint(packageName: string): string {
  return `install ${packageName} from its tarball, which \`npm pack --workspaces\` writes in a clone of onceflow`;
}
