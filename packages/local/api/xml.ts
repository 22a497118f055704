/**
 * The members of a value as XML elements, in their order; those that are undefined are left out.
 *
 * @param item - what the items of a list are called within it, such as `member`. @default - the list's own name is
 * repeated for each of them
 */
export function xmlOf(value: unknown, item?: string): string {
  if (typeof value !== 'object' || value === null) return escaped(String(value));
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => {
      if (!Array.isArray(member)) return element(name, xmlOf(member, item));
      const items = member.map(each => element(item ?? name, xmlOf(each, item))).join('');
      return item === undefined ? items : element(name, items);
    })
    .join('');
}

function element(name: string, content: string): string {
  return `<${name}>${content}</${name}>`;
}

// A reader takes line ends as one character, and leaves out characters that XML does not have unless they are a
// reference.
function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(CONTROL, character => `&#x${character.charCodeAt(0).toString(16).toUpperCase()};`);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0001-\u0008\u000b-\u001f]/g;
