import { constraintError, StatesError } from './errors';

/** Characters a name may have (service model). */
const NAME_CHARACTERS_MAX = 80;

// As the service lists them: white space, brackets, wild cards, specials, control characters, and code points
// that are no characters.
const FORBIDDEN = /[\s<>{}[\]?*"#%\\^|~`$&,;:/\p{Cc}\p{Cs}\uFFFE\uFFFF]|\u{10FFFF}/u;

/** @throws StatesError when a name is empty or longer than the model allows. */
export function requireNameLength(name: string): void {
  if (name.length > NAME_CHARACTERS_MAX) {
    throw constraintError(name, 'name', `have length less than or equal to ${NAME_CHARACTERS_MAX}`);
  }
  if (name.length === 0) throw constraintError(name, 'name', 'have length greater than or equal to 1');
}

/** @throws StatesError `InvalidName` when a name has a character it must not have. */
export function requireNameCharacters(name: string): void {
  if (FORBIDDEN.test(name)) throw new StatesError('InvalidName', `Invalid Name: '${name}'`);
}
