import type { Problem } from './assembly';
import type { StackArtifact } from './manifest';

/**
 * The stacks to load: those named, and what they depend on, as `cdk deploy` takes them. All of them without
 * names.
 *
 * A stack may be named by its stack name, its display name (`Stage/Stack`) or its artifact id.
 */
export function selectStacks(
  artifacts: readonly StackArtifact[],
  names: readonly string[] | undefined,
  problems: Problem[],
): readonly StackArtifact[] {
  if (names === undefined) return artifacts;
  const selected = new Set<StackArtifact>();
  const add = (artifact: StackArtifact): void => {
    if (selected.has(artifact)) return;
    selected.add(artifact);
    artifacts.filter(other => artifact.dependencies.includes(other.artifactId)).forEach(add);
  };
  for (const name of names) {
    const found = artifacts.filter(artifact => isCalled(artifact, name));
    found.forEach(add);
    if (found.length === 0) {
      const known = artifacts.map(({ displayName }) => displayName).join(', ');
      problems.push({
        where: 'manifest.json',
        message: `has no stack \`${name}\`; it has ${known || 'none'}`,
      });
    }
  }
  return artifacts.filter(artifact => selected.has(artifact));
}

function isCalled({ name, displayName, artifactId }: StackArtifact, asked: string): boolean {
  return [name, displayName, artifactId].includes(asked);
}
