// The States Language has no tokens; they are the service's: `$states.context.Task.Token` names one attempt of one
// state. Ours say it themselves, so that a token is good after a restart, too.

/** What a token stands for. */
export interface TokenTarget {
  readonly executionArn: string;
  readonly taskId: string;
}

/**
 * The token of an attempt: text without white space, the same in every run. Of states and threads it says nothing, so
 * that their names decide neither its length (2,048 characters at most) nor its letters.
 */
export function tokenFor({ executionArn, taskId }: TokenTarget): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(`${executionArn}\n${taskId}`)));
}

/** The meaning of a token, or undefined if the text is not a token of ours. */
export function targetOf(token: string): TokenTarget | undefined {
  const [executionArn, taskId, ...more] = decoded(token)?.split('\n') ?? [];
  const isTarget = executionArn?.startsWith('arn:') && taskId?.startsWith('task@') && more.length === 0;
  return isTarget && executionArn && taskId ? { executionArn, taskId } : undefined;
}

function decoded(token: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(token), character => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
