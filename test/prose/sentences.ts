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

/** What can mean something in Markdown, at any place or at the beginning of a line. */
const MARK = /[`*_[\]<>#|~\\&@]|:\/\/|www\.|^\s*(?:[-+=]|\d+[.)])|^(?: {4}|\t)/m;

/** The sentences of a Markdown page, without its code blocks and HTML. */
export function sentencesOf(markdown: string): Sentence[] {
  // Most comments are one plain paragraph, and the parser takes most of the time of a run.
  if (!MARK.test(markdown) && !/\n\s*\n/.test(markdown.trim())) {
    const [blank = ''] = markdown.split(/\S/, 1);
    return segmentsOf(markdown, blank.split('\n').length, true);
  }
  const root: Root = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  return blocksOf(root).flatMap(block =>
    segmentsOf(textOf(block), block.position?.start.line ?? 1, block.type === 'paragraph'),
  );
}

function segmentsOf(text: string, line: number, isCounted: boolean): Sentence[] {
  const segments = SEGMENTER.segment(text.replace(/\s+/g, ' ').trim());
  return [...segments].map(({ segment }) => ({ line, text: segment.trim(), isCounted }));
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
