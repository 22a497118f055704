import { anchorsOf, parsePage, targetOf } from './page';
import { readingOrder, rendered, snippetText } from './rendered';

const APP = 'docs/guide/first-stack/app.ts';
const titleOf = (path: string) => `title of ${path}`;

describe('a page', () => {
  test('with links, headings and blocks: what stands in code is none of them', () => {
    const page = parsePage(
      'docs/a.md',
      '# A [b](b.md)\n\n`[no](no.md)`\n\n<!-- file: x.ts#y -->\n```ts\n# no\n[no](no.md)\n```\n',
    );

    expect(page.headings).toEqual(['A [b](b.md)']);
    expect(page.links).toEqual([{ line: 1, text: 'b', target: 'b.md' }]);
    expect(page.blocks).toEqual([
      { line: 6, language: 'ts', lines: ['# no', '[no](no.md)'], source: 'x.ts#y' },
    ]);
  });

  test('with headings of one text: anchors as GitHub counts them', () => {
    const page = parsePage('a.md', '# `startOnce`: what?\n## A [link](x)\n## A link\n');

    expect([...anchorsOf(page)]).toEqual(['startonce-what', 'a-link', 'a-link-1']);
  });

  test.each([
    ['../x.md#y', { path: 'docs/x.md', anchor: 'y' }],
    ['#y', { path: 'docs/guide/a.md', anchor: 'y' }],
    ['https://github.com/onceflow/onceflow/blob/main/cli/main.ts', { path: 'cli/main.ts', anchor: '' }],
    ['https://example.com/x', undefined],
  ])('with the link %s: where it leads', (target, expected) => {
    const page = parsePage('docs/guide/a.md', '');

    expect(targetOf(page, { line: 1, text: '', target })).toEqual(expected);
  });
});

describe('a correct page', () => {
  const order = ['docs/README.md', 'docs/a.md', 'docs/guide/b.md'];
  const text = (before: string) => rendered(parsePage('docs/a.md', before), order, titleOf);
  const end =
    '\n---\n\nPrevious: [title of docs/README.md](README.md) · Next: [title of docs/guide/b.md](guide/b.md)\n';

  test.each([
    ['an empty block', `<!-- file: ${APP} -->\n\`\`\`ts\n\`\`\`\n`],
    ['a block that is out of date', `<!-- file: ${APP} -->\n\`\`\`ts\nold\nolder\n\`\`\`\n`],
  ])('%s: as its file has it', (_, block) => {
    expect(text(`# A\n\n${block}`)).toBe(
      `# A\n\n<!-- file: ${APP} -->\n\`\`\`ts\n${snippetText(APP)}\n\`\`\`\n${end}`,
    );
  });

  test('neighbours that are out of date: as the index has them, once', () => {
    expect(text(`# A\n\n---\n\nPrevious: [x](x.md)\n`)).toBe(`# A\n${end}`);
    expect(text(text('# A\n'))).toBe(`# A\n${end}`);
  });

  test('a table from the source: in place of the one that is there, and what follows stays', () => {
    const table = text('<!-- table: dispatch-judgement -->\n| stale |\n\nAfter.\n');

    expect(table).toMatch(
      /-->\n\| the first that holds \| the dispatcher \| without recovery \|\n(?:\|.*\n)+\nAfter\.\n/,
    );
    expect(table).not.toContain('stale');
  });

  test('a table that is not there: rejected by name', () => {
    expect(() => text('<!-- table: nothing -->\n')).toThrow('no table nothing');
  });
});

describe('the text of a source', () => {
  test('a region: without the indentation that its lines share', () => {
    expect(snippetText('docs/guide/snippets/sources.ts#schedule')).toMatch(/^report\.startFrom/);
  });

  test.each([`${APP}#nothing`, 'docs/nothing.ts'])('%s: none', source => {
    expect(snippetText(source)).toBeUndefined();
  });
});

describe('the order of reading', () => {
  test('is that of the first links of the index to documents', () => {
    const index = parsePage(
      'docs/README.md',
      '[b](b.md) [a](guide/a.md#x) [b](b.md) [out](../x.md) [w](https://w.md)',
    );

    expect(readingOrder(index)).toEqual(['docs/README.md', 'docs/b.md', 'docs/guide/a.md']);
  });
});
