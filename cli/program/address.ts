import type { Option } from './options';

/** What stands in place of a secret. */
const HIDDEN = '***';

/** `user:password@` of a URL within a text, up to the last `@` before its path. */
const USER_INFO = /\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#"'`]*@/gi;
/** A member of a URL's query that signs or identifies: `X-Amz-Signature`, `access_token`, `apikey`. */
const SECRET_MEMBER =
  /([?&][^\s=&#"']*(?:auth|credential|key|pass|pwd|secret|sig|signature|token)[^\s=&#"']*=)[^\s&#"']+/gi;

/**
 * A text without the passwords of the addresses in it: the user and password of each URL, and the members of its query
 * that sign or identify. What a program says about an address goes through this: messages and reports are copied into
 * tickets and logs.
 *
 * @example withoutSecrets('http://me:pass@db.example:8000/?token=abc'); // 'http://***@db.example:8000/?token=***'
 */
export function withoutSecrets(text: string): string {
  return text.replace(USER_INFO, `$1${HIDDEN}@`).replace(SECRET_MEMBER, `$1${HIDDEN}`);
}

/** What an address option takes. */
export const ADDRESS = 'an http or https address such as http://127.0.0.1:8083';

/** An option with the address of a server, absent by default. A rejected one is quoted without its secrets. */
export function address(valueName: string, help: string): Option<string | undefined> {
  return {
    valueName,
    help,
    byDefault: undefined,
    takes: ADDRESS,
    isNumber: false,
    isRepeatable: false,
    read: ([given = '']) => (isAddress(given) ? given : undefined),
    quoted: given => `${JSON.stringify(quotedAddress(given))}${hintFor(given)}`,
  };
}

/** Whether a text is an http or https URL. */
export function isAddress(text: string): boolean {
  return /^https?:\/\/[^\s/]/i.test(text) && URL.canParse(text);
}

/** Without its secrets, also if the scheme is missing. */
function quotedAddress(text: string): string {
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  return hasScheme ? withoutSecrets(text) : withoutSecrets(`http://${text}`).slice('http://'.length);
}

/** What an address without a scheme lacks: `localhost:8083` is a URL of the scheme `localhost`. */
function hintFor(text: string): string {
  if (/:\/\//.test(text) || !isAddress(`http://${text}`) || !/[.:]|^localhost/.test(text)) return '';
  return `; did you mean http://${quotedAddress(text)}?`;
}
