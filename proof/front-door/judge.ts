import { isDeepStrictEqual } from 'node:util';
import type { Answer, Effects, Expectation } from './conversation';

type Answered = Extract<Answer, { readonly kind: 'answer' }>;

/** The faults in the answers of a conversation, one text for each; empty if there are none. */
export function judge(answers: readonly Answer[], expected: readonly Expectation[]): readonly string[] {
  const wrong = expected.flatMap((expectation, index) => {
    const answer = answers[index] ?? { kind: 'none' };
    return faultsOf(answer, expectation, answers).map(fault => `answer ${index}: ${fault}`);
  });
  return [...wrong, ...groupFaults(answers, expected)];
}

function faultsOf(answer: Answer, expectation: Expectation, answers: readonly Answer[]): readonly string[] {
  const statuses = [expectation.status].flat();
  if (answer.kind === 'none') return statuses.includes('<none>') ? [] : ['there is none'];
  const { status, body, tookMs } = answer;
  if (!statuses.includes(status)) {
    return [`status ${status}, not ${statuses.join(' or ')}: ${body.slice(0, 200)}`];
  }
  const { withinMs, bodyLengthMin = 0 } = expectation;
  return [
    ...Object.entries(expectation.headers ?? {}).flatMap(([name, wanted]) =>
      headerFault(answer, name, wanted),
    ),
    ...bodyFaults(body, expectation),
    ...(body.length < bodyLengthMin ? [`a body of ${body.length} characters, not ${bodyLengthMin}`] : []),
    ...sameFaults(answer, expectation, answers),
    ...problemFaults(answer, expectation),
    ...(withinMs !== undefined && tookMs > withinMs ? [`after ${tookMs} ms, not ${withinMs}`] : []),
  ];
}

function headerFault(
  { headers }: Answered,
  name: string,
  wanted: string | readonly string[],
): readonly string[] {
  const value = headers[name.toLowerCase()];
  const shown = name.toLowerCase() === 'content-type' ? value?.split(';')[0] : value;
  const isRight = [wanted].flat().some(one => {
    if (one === '<absent>') return shown === undefined;
    if (one === '<any>') return shown !== undefined && shown !== '';
    const part = /^<includes:(.*)>$/.exec(one)?.[1];
    if (part === undefined) return shown === one;
    return (shown ?? '').split(',').some(item => item.trim().toLowerCase() === part.toLowerCase());
  });
  return isRight ? [] : [`header ${name} is ${shown ?? 'absent'}, not ${[wanted].flat().join(' or ')}`];
}

function bodyFaults(body: string, expectation: Expectation): readonly string[] {
  const { bodyEquals, bodyText, bodyContains = [], bodyExcludes = [] } = expectation;
  const faults: string[] = [];
  if (bodyText !== undefined && body !== bodyText) faults.push(`another body: ${body.slice(0, 200)}`);
  if (bodyEquals !== undefined && !fits(parsed(body), bodyEquals)) {
    faults.push(`another body: ${body.slice(0, 200)}`);
  }
  for (const text of bodyContains) if (!body.includes(text)) faults.push(`the body lacks ${text}`);
  for (const text of bodyExcludes) if (body.includes(text)) faults.push(`the body has ${text}`);
  return faults;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** `<any>` fits any text but the empty one. */
function fits(value: unknown, wanted: unknown): boolean {
  if (wanted === '<any>') return typeof value === 'string' && value !== '';
  if (typeof wanted !== 'object' || wanted === null) return isDeepStrictEqual(value, wanted);
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== Array.isArray(wanted))
    return false;
  const names = Object.keys(wanted);
  if (names.length !== Object.keys(value).length) return false;
  return names.every(name => fits(Reflect.get(value, name), Reflect.get(wanted, name)));
}

function sameFaults(
  { status, body }: Answered,
  { sameAs, notSameAs }: Expectation,
  answers: readonly Answer[],
): readonly string[] {
  const faults: string[] = [];
  const other = sameAs === undefined ? undefined : answers[sameAs];
  if (other && !(other.kind === 'answer' && other.status === status && other.body === body)) {
    faults.push(`not the same as answer ${sameAs}: ${body.slice(0, 200)}`);
  }
  const unwanted = notSameAs === undefined ? undefined : answers[notSameAs];
  if (unwanted?.kind === 'answer' && unwanted.body === body)
    faults.push(`the same body as answer ${notSameAs}`);
  return faults;
}

function problemFaults(
  { status, headers, body }: Answered,
  { problemType, extensions = {} }: Expectation,
): readonly string[] {
  if (problemType === undefined) return [];
  const document = parsed(body);
  if (typeof document !== 'object' || document === null)
    return [`no problem document: ${body.slice(0, 200)}`];
  const member = (name: string): unknown => Reflect.get(document, name);
  const type = String(member('type'));
  const isType = [problemType].flat().some(name => type.endsWith(`/${name}`) || type.endsWith(`#${name}`));
  const contentType = headers['content-type']?.split(';')[0];
  return [
    ...(isType ? [] : [`a problem of type ${type}, not ${[problemType].flat().join(' or ')}`]),
    ...(contentType === 'application/problem+json' ? [] : [`a problem document as ${contentType}`]),
    ...(member('status') === status
      ? []
      : [`a problem document with the status ${String(member('status'))}`]),
    ...(typeof member('title') === 'string' ? [] : ['a problem document without a title']),
    ...Object.entries(extensions).flatMap(([name, wanted]) =>
      isDeepStrictEqual(member(name), wanted) ? [] : [`the problem's ${name} is ${String(member(name))}`],
    ),
  ];
}

function groupFaults(answers: readonly Answer[], expected: readonly Expectation[]): readonly string[] {
  const bodies = new Map<string, Set<string>>();
  for (const [index, { sameGroup }] of expected.entries()) {
    const answer = answers[index];
    if (sameGroup === undefined || answer?.kind !== 'answer' || answer.status !== 200) continue;
    bodies.set(sameGroup, (bodies.get(sameGroup) ?? new Set()).add(answer.body));
  }
  return [...bodies].flatMap(([group, different]) =>
    different.size > 1 ? [`group ${group}: ${different.size} different answers`] : [],
  );
}

/** The faults in the effects of a conversation. */
export function judgeEffects(
  happened: Required<Omit<Effects, 'chargesMin' | 'chargesMax'>>,
  { chargesMin = 0, chargesMax = Number.POSITIVE_INFINITY, ...exact }: Effects,
): readonly string[] {
  const faults = (Object.keys(exact) as (keyof typeof exact)[]).flatMap(name =>
    exact[name] === undefined || happened[name] === exact[name]
      ? []
      : [`${name}: ${happened[name]}, not ${exact[name]}`],
  );
  const isBetween = happened.charges >= chargesMin && happened.charges <= chargesMax;
  return isBetween ? faults : [...faults, `charges: ${happened.charges}, not ${chargesMin} to ${chargesMax}`];
}
