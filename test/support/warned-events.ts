/** The two events of a warning, and whether it says that all events like them share a key. @throws Error without events */
export function eventsIn(warning: string): readonly [one: unknown, other: unknown, isOfAll: boolean] {
  const [, isOfAll, one, other = one] =
    /, (?:two|(all)) events such as (\{.*?\})(?: and (\{.*\}))? get one key, /s.exec(warning) ?? [];
  if (one === undefined || other === undefined) throw new Error(`the warning shows no events: ${warning}`);
  return [JSON.parse(one), JSON.parse(other), isOfAll !== undefined];
}
