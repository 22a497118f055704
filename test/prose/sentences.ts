import type { Nodes, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

/** A sentence of a page, with its code spans replaced by one word each. */
export interface Sentence {
  /** Line of the page on which its paragraph begins, from 1 on. */
  readonly line: number;
  readonly text: string;
  /** A heading or a cell of a table is often no whole sentence: it is checked, and not counted. */
  readonly isCounted: boolean;
}

const SEGMENTER = new Intl.Segmenter('en', { granularity: 'sentence' });

/** The sentences of a Markdown page, without its code blocks and HTML. */
export function sentencesOf(markdown: string): Sentence[] {
  const root: Root = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  return blocksOf(root).flatMap(block => {
    const text = textOf(block).replace(/\s+/g, ' ').trim();
    return [...SEGMENTER.segment(text)].map(({ segment }) => ({
      line: block.position?.start.line ?? 1,
      text: segment.trim(),
      isCounted: block.type === 'paragraph',
    }));
  });
}

function blocksOf(node: Nodes): Nodes[] {
  if (node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell') return [node];
  return 'children' in node ? node.children.flatMap(child => blocksOf(child)) : [];
}

function textOf(node: Nodes): string {
  if (node.type === 'text') return node.value;
  if (node.type === 'inlineCode') return 'Code';
  if (node.type === 'break') return ' ';
  return 'children' in node ? node.children.map(textOf).join('') : '';
}
