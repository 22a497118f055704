type Optional<Members> = {
  [Name in keyof Members]: undefined extends Members[Name] ? Name : never;
}[keyof Members];

/** The members without those that are undefined. */
export type Present<Members> = Omit<Members, Optional<Members>> & {
  [Name in Optional<Members>]?: Exclude<Members[Name], undefined>;
};

/** The members that are not undefined. */
export function present<Members extends object>(members: Members): Present<Members> {
  const there = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(there) as Present<Members>;
}
