import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { readPage } from '@onceflow/console';

/** Markup that is safe to show: made by `html` alone, which escapes what it is given. */
export class Html {
  constructor(readonly text: string) {}
}

/** What may stand in markup: text, which is escaped; markup, which stays as it is; several of them; nothing. */
export type Content = string | number | Html | readonly Content[] | undefined;

/** Markup out of a template. Whatever is put into it is text, in attributes as well, unless it is markup already. */
export function html(literals: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return new Html(literals.map((literal, index) => literal + textOf(contents[index])).join(''));
}

function textOf(content: Content): string {
  if (content === undefined) return '';
  if (content instanceof Html) return content.text;
  if (typeof content === 'object') return content.map(textOf).join('');
  return String(content).replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}

/**
 * A whole document in one file, in the colours of the console: it asks for nothing, runs nothing, and says so to the
 * browser. Light and dark as the reader has it. `ownStyle` is the style sheet of what this document alone has.
 */
export async function documentOf(title: string, body: Html, ownStyle = ''): Promise<string> {
  const { style } = await readPage();
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${new Html(style)}${new Html(STYLE)}${new Html(ownStyle)}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
  return page.text;
}

/** Why a document cannot be written to a file, for a person; undefined where it can be: there or not yet. */
export function problemWithFile(file: string): string | undefined {
  const directory = path.dirname(path.resolve(file));
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found?.isDirectory()) return `${file} is a directory; name a file in it`;
    if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory())
      return `the directory ${directory} does not exist`;
    accessSync(found === undefined ? directory : file, constants.W_OK);
    return undefined;
  } catch (error) {
    return `${file} cannot be written: ${(error as Error).message}`;
  }
}

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** What the console's pages do not have. */
const STYLE = `
.lane { grid-template-columns: 9em 1fr; }
.track { margin: 0 90px 0 12px; }
.mark { position: absolute; top: 7px; min-width: 16px; height: 16px; transform: translateX(-50%); border-radius: 8px;
  font: 11px/14px system-ui, sans-serif; text-align: center; color: var(--tone); border: 1px solid currentcolor;
  background: color-mix(in srgb, var(--tone) 12%, var(--panel)); }
.reach { position: absolute; border-left: 1px dashed var(--soft); }
.legend { list-style: none; padding: 0; margin: 0; }
.legend span::before { content: none; }
dl.record dt { width: 11em; }
.legend .mark { position: static; display: inline-block; margin-right: 6px; transform: none; }
.timeline { list-style: none; padding: 0; margin: 0; }
.timeline time { color: var(--soft); margin-right: 8px; }
details.order { content-visibility: auto; contain-intrinsic-size: auto 30px; border-top: 1px solid var(--line); }
summary { padding: 4px 0; }
.badge { margin-left: 8px; }
.badge::before { border-radius: 50%; }
.verdict { font-weight: 600; }
`;
