import { goldenDefinitions } from '../support/golden';

// What a person meets in the console of AWS. All lengths are without the team's own expressions and scope.

const TEAMS = [
  '$states.input.idempotencyKey',
  '($states.input.body)',
  '$states.input.detail.orderId',
  '$states.input.detail.id',
  '$states.input.orderId',
  "$states.input.detail.{'amount': amount}",
  '$states.input.detail.amount',
  '$states.input.amount',
  '$states.input.shop',
  '$states.input.id',
  '$states.input.detail',
  "{'detail': $states.input}",
];
const SCOPE = /'[^']+#' & /;
const LONGEST = { key: 350, compositeKey: 375, payloadHash: 1000, rejection: 850, start: 510, other: 400 };

test('no expression of a definition is longer than a person reads', () => {
  const tooLong = goldenDefinitions().flatMap(([file, definition]) =>
    expressionsIn(definition, file).flatMap(([place, text]) => {
      const length = TEAMS.reduce(
        (rest, team) => rest.replaceAll(team, ''),
        text.replace(SCOPE, "'#' & "),
      ).length;
      return length <= longestOf(text) ? [] : [`${length} ${place}`];
    }),
  );

  expect(tooLong).toEqual([]);
});

function longestOf(text: string): number {
  // The numbers that the hash rejects, and where they are, for a caller by HTTP.
  if (text.includes('$find := ')) return LONGEST.payloadHash;
  if (text.includes('$lines := '))
    return text.includes('=true') ? LONGEST.payloadHash + 50 : LONGEST.payloadHash;
  // The whole notice of a rejection, with its cause, which is mostly a sentence.
  if (text.includes("'status': 'REJECTED'")) return LONGEST.rejection;
  // When an execution began, in each form that a date can have, and what that says.
  if (text.includes('$states.result.StartDate')) return LONGEST.start;
  if (text.includes('$part := ')) return LONGEST.compositeKey;
  return text.startsWith('{% ( $id := ') ? LONGEST.key : LONGEST.other;
}

function expressionsIn(value: unknown, place: string): (readonly [place: string, text: string])[] {
  if (typeof value === 'string') return value.startsWith('{%') ? [[place, value]] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => expressionsIn(member, `${place}/${name}`));
}
