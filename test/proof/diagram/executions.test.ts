import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { executionPicture } from '../../../proof/diagram/pictures';
import { executionPictures, ranIn } from './executions';

const ROOT = path.join(__dirname, '../../..');

describe('the pictures of executions', () => {
  // UPDATE_SCREENSHOTS=1 draws them anew.
  test.each(executionPictures)('$file: as an execution of today goes', async ({ file, title, run }) => {
    const { definition, events } = await ranIn(run);
    const svg = executionPicture(title, definition ?? '', events);
    if (process.env['UPDATE_SCREENSHOTS'] !== undefined) writeFileSync(path.join(ROOT, file), svg);

    expect(readFileSync(path.join(ROOT, file), 'utf8')).toBe(svg);
    const entered = events.filter(({ type }) => type.endsWith('StateEntered')).length;
    expect(svg.match(/<path class="edge (?:catch )?taken"/g)).toHaveLength(entered - 1);
    expect(svg.match(/<g class="node [^"]*(?:succeeded|caught|failed)"/g)).toHaveLength(entered);
  });
});
