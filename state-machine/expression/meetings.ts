import { KEY_FORMS, type KeyForms } from './key-forms';
import { apart, isItem, type KeyPart, leavesIn, textOf } from './key-parts';
import { type Loss, lossesOf } from './losses';
import { type Meeting, Search } from './search';

/** Values of members that conditions ask for. Some of each type are tried if two of them do not show everything. */
const ASKED: readonly (readonly unknown[])[] = [
  ['a7', 0],
  ['a7', 0, 1, '', true, false, null, { a: 1 }],
];

/** How two events can get one key by parts that the table has: what `losses.ts` says, with events if they are found. */
export function meetingsOf(parts: readonly KeyPart[], forms: KeyForms = KEY_FORMS): readonly Meeting[] {
  const losses = lossesOf(parts, forms);
  if (losses.length === 0) return [];
  const partsAt = (places: readonly number[]) => places.map(index => parts[index] as KeyPart);
  const groups = apart(parts.map(part => new Search([part], forms).touched));
  const all = groups.flatMap(places => {
    let found: readonly Meeting[] = [];
    const isShown = ({ part, because }: Loss) =>
      found.some(one => because.includes(one.because) && shareItems(parts[one.part], parts[part]));
    const those = losses.filter(({ part }) => places.includes(part));
    for (const asked of ASKED) {
      if (those.every(isShown)) break;
      const besides = groups.map(other =>
        other === places ? [] : new Search(partsAt(other), forms, asked).first(),
      );
      if (besides.includes(undefined)) break;
      const more = new Search(partsAt(places), forms, asked).meetings(besides.flatMap(some => some ?? []));
      if (more.length >= found.length)
        found = more.map(meeting => ({ ...meeting, part: places[meeting.part] as number }));
    }
    const left = those.filter(loss => !isShown(loss));
    return [...found, ...left.map(({ part, because: [because] }) => ({ part, because, events: undefined }))];
  });
  return all.sort((one, other) => one.part - other.part);
}

/** Whether two parts are one, or read items of one list, so that a warning of one is of both. */
function shareItems(one: KeyPart | undefined, other: KeyPart | undefined): boolean {
  const [first = [], second = []] = [one, other].map(part => {
    const values = part ? leavesIn(part) : [];
    return values.flatMap(({ steps }) =>
      steps.flatMap(({ form }, at) => (isItem(form) ? [textOf([steps.slice(0, at), form])] : [])),
    );
  });
  return one === other || first.some(item => second.includes(item));
}
