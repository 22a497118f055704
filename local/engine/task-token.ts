// States Language has no tokens; they are the service's: `$states.context.Task.Token` names one attempt of one
// state. Ours say it themselves, so that a token is good after a restart, too.

/** What a token stands for. */
export interface TokenTarget {
  readonly executionArn: string;
  readonly taskId: string;
}

/** The token of an attempt: text without white space, the same in every run. */
export function tokenFor({ executionArn, taskId }: TokenTarget): string {
  return btoa(encodeURIComponent(`${executionArn}\n${taskId}`));
}

/** What a token stands for, or undefined when the text is no token of ours. */
export function targetOf(token: string): TokenTarget | undefined {
  const [executionArn, taskId, ...more] = decoded(token)?.split('\n') ?? [];
  const isTarget = executionArn?.startsWith('arn:') && taskId?.startsWith('task:') && more.length === 0;
  return isTarget && executionArn && taskId ? { executionArn, taskId } : undefined;
}

function decoded(token: string): string | undefined {
  try {
    return decodeURIComponent(atob(token));
  } catch {
    return undefined;
  }
}
