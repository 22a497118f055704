/** An SQS batch, as far as it is read. */
export interface Batch {
  readonly Records: readonly { readonly messageId: string; readonly body: string }[];
}

/** Starts one delivery, given as JSON text; resolves to what went wrong, or to undefined. */
export type Start = (input: string) => Promise<string | undefined>;

/** The answer of a partial batch: what is named comes again, everything else is gone. */
export interface BatchAnswer {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

/** The longest input of an execution, in bytes of UTF-8. */
const INPUT_BYTES_MAX = 262_144;

/**
 * Starts each message by itself: one that is malformed or cannot be started blocks no other.
 *
 * `complain` is told of each message that stays in the queue, by its id and reason, never by its content.
 */
export async function startBatch(
  { Records }: Batch,
  start: Start,
  complain: (text: string) => void,
): Promise<BatchAnswer> {
  const failures = await Promise.all(
    Records.map(async ({ messageId, body }) => {
      const reason = problemOf(body) ?? (await started(body, start));
      if (reason === undefined) return [];
      complain(JSON.stringify({ message: 'not started', messageId, reason }));
      return [{ itemIdentifier: messageId }];
    }),
  );
  return { batchItemFailures: failures.flat() };
}

async function started(body: string, start: Start): Promise<string | undefined> {
  try {
    return await start(body);
  } catch (error) {
    return reasonOf(error);
  }
}

/** An error's name; of a failure of the network, whose name is just `Error`, its code, such as ENOTFOUND. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.name === 'Error' && 'code' in error ? String(error.code) : error.name;
}

/** Why a body is no event: sending it again will not help, so the queue's redrive policy is to move it away. */
function problemOf(body: string): string | undefined {
  if (Buffer.byteLength(body) > INPUT_BYTES_MAX) return `the body has more than ${INPUT_BYTES_MAX} bytes`;
  try {
    const event: unknown = JSON.parse(body);
    return typeof event === 'object' && event !== null && !Array.isArray(event)
      ? undefined
      : 'the body is not a JSON object';
  } catch {
    return 'the body is not JSON';
  }
}
