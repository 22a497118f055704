/** What one sentence of a help text is about: its paragraphs, or what it says of an option. */
interface Block {
  readonly isOption: boolean;
  readonly text: string;
}

const SEGMENTER = new Intl.Segmenter('en', { granularity: 'sentence' });

/** The sentences of a help text, each on one line: without its usage and its examples. */
export function sentencesOfHelp(help: string): string[] {
  return blocksOf(help).flatMap(({ text, isOption }) => (isOption ? [text] : sentencesOf(text)));
}

function sentencesOf(text: string): string[] {
  const [, exitCodes] = /^(?:Further exit|Exit) codes: (.*)/.exec(text) ?? [];
  if (exitCodes !== undefined) return exitCodes.split(/, (?=\d+ )/);
  return [...SEGMENTER.segment(text)].map(({ segment }) => segment.trim());
}

function blocksOf(help: string): Block[] {
  return help
    .split(/\n{2,}/)
    .filter(block => !/^(?:Usage|Examples):/.test(block))
    .flatMap(block => {
      const blocks: Block[] = [];
      for (const line of block.split('\n').filter(text => text !== '')) {
        const option = /^ {2}\S.*? {2,}(\S.*)$/.exec(line)?.[1];
        const last = blocks.at(-1);
        const isContinued =
          last !== undefined && (last.isOption ? /^ {4}/.test(line) : !line.startsWith(' '));
        if (option !== undefined && !/^ {4}/.test(line)) blocks.push({ isOption: true, text: option });
        else if (isContinued) blocks.splice(-1, 1, { ...last, text: `${last.text} ${line.trim()}` });
        else blocks.push({ isOption: false, text: line.trim() });
      }
      return blocks;
    });
}
