/** What `${...}` references stand for, by the text between the braces. */
export type References = ReadonlyMap<string, string>;

/**
 * A value with its references replaced, in names as well as in texts. Text that is not a known reference stays as
 * written, so that the mistake shows in the answer.
 */
export function resolveReferences(value: unknown, references: References): unknown {
  if (typeof value === 'string') return resolveText(value, references);
  if (Array.isArray(value)) return value.map(item => resolveReferences(item, references));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [
    resolveText(name, references),
    resolveReferences(member, references),
  ]);
  return Object.fromEntries(members);
}

/** A text with its references replaced. */
export function resolveText(text: string, references: References): string {
  return text.replace(
    REFERENCE,
    (all, name: string) => references.get(name) ?? timeOf(name, references) ?? all,
  );
}

/** `${LambdaArn:id}`, `${c3.executionArn}`, `${Now+24855d}` */
const REFERENCE = /\$\{([A-Za-z]\w*(?::\w+)?(?:\.\w+)?(?:\+\d+d)?)\}/g;

const DAY_MS = 24 * 60 * 60 * 1000;

/** `Now` is known to the references as every name is; so many days after it are computed. */
function timeOf(name: string, references: References): string | undefined {
  const days = /^Now\+(\d+)d$/.exec(name)?.[1];
  const now = references.get('Now');
  return days === undefined || now === undefined
    ? undefined
    : isoSeconds(Date.parse(`${now}Z`) + Number(days) * DAY_MS);
}

/** A time as `YYYY-MM-DDTHH:MM:SS` in UTC, the form of `${Now}`. */
export function isoSeconds(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 19);
}
