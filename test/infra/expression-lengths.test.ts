import { goldenDefinitions } from '../support/golden';

// What a person meets in the console of AWS. All lengths are without the team's own expressions and scope.

const TEAMS = [
  '$states.input.detail.orderId',
  '$states.input.detail.id',
  '$states.input.orderId',
  "$states.input.detail.{'amount': amount}",
  '$states.input.detail.amount',
  '$states.input.amount',
  '$states.input.shop',
  '$states.input.id',
  '$states.input.detail',
];
const SCOPE = /'[^']+#' & /;
const LONGEST = { key: 350, compositeKey: 375, payloadHash: 1000, other: 400 };

/** Longer, and how long: what only some variants have. */
const LONGER: readonly (readonly [place: RegExp, length: number])[] = [
  // The key, and the name that is made of it, where no state comes before that could keep it.
  [/^dispatcher[^/]*\/States\/Start (by key|again)\/Arguments\/Name$/, 920],
  // At most once, and what is sent to a destination.
  [/\/(Notify|Send [^/]*)\/Arguments\/MessageBody$/, 890],
  [/^recovery-on-failure.*\/Read record\/Assign\/isEndUnsent$/, 430],
  // What the record keeps of a payload, and names of it.
  [/^handler-and-evidence/, 780],
  // Results by a place of their own.
  [/^results-in-a-bucket/, 700],
  // What callers by HTTP send.
  [/^front-door/, 1020],
  // A team's own state machine, and deliveries on a schedule.
  [/^recovery-of-a-machine.*\/(Where did it fail\?|Read its history)\//, 870],
  [/^redelivery.*\/(Has its step failed\?|Deliver again)\//, 850],
  [/^fragment.*\/Pay: Ask about the owner\/Assign\/owner$/, 420],
];

test('no expression of a definition is longer than a person reads', () => {
  const tooLong = goldenDefinitions().flatMap(([file, definition]) =>
    expressionsIn(definition, file).flatMap(([place, text]) => {
      const length = TEAMS.reduce(
        (rest, team) => rest.replaceAll(team, ''),
        text.replace(SCOPE, "'#' & "),
      ).length;
      const longest = LONGER.find(([longer]) => longer.test(place))?.[1] ?? 0;
      return length <= Math.max(longestOf(text), longest) ? [] : [`${length} ${place}`];
    }),
  );

  expect(tooLong).toEqual([]);
});

function longestOf(text: string): number {
  if (text.includes('$lines := '))
    return text.includes('=true') ? LONGEST.payloadHash + 50 : LONGEST.payloadHash;
  if (text.includes('$part := ')) return LONGEST.compositeKey;
  return text.startsWith('{% ( $id := ') ? LONGEST.key : LONGEST.other;
}

function expressionsIn(value: unknown, place: string): (readonly [place: string, text: string])[] {
  if (typeof value === 'string') return value.startsWith('{%') ? [[place, value]] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => expressionsIn(member, `${place}/${name}`));
}
