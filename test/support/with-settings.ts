import {
  commentWith,
  type DeployedWorkflow,
  readSettings,
} from '../../state-machine/contract/deployed-settings';

/** A workflow's definition, whose settings say something else. */
export function withSettings(definition: string, changes: Partial<DeployedWorkflow>): string {
  const { Comment, ...others } = JSON.parse(definition) as { readonly Comment?: string };
  const read = readSettings(Comment);
  if (read.kind !== 'settings') throw new Error(`the definition has no settings: ${read.kind}`);
  const [words = ''] = Comment?.split('\n') ?? [];
  const settings = { ...read.settings, ...changes } as DeployedWorkflow;
  return JSON.stringify({ Comment: commentWith(words, settings), ...others });
}
