import { readFileSync } from 'node:fs';
import path from 'node:path';
import { graphIn, pictures, REVIEWED, wholePicture } from '../../../proof/diagram/pictures';
import { withoutServiceErrors } from '../../../proof/diagram/service-errors';
import { STATE } from '../../../state-machine/contract/state-names';

const ROOT = path.join(__dirname, '../../..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const DEFINITION = read(REVIEWED);

describe('the diagram of the workflow', () => {
  const whole = graphIn(DEFINITION);
  const drawn = withoutServiceErrors(whole);

  test.each(pictures(DEFINITION))('%s: as `npm run diagram` draws the reviewed definition', (file, svg) => {
    expect(read(file)).toBe(svg);
  });

  test('with errors: every state and every edge of the definition, and a sign on what is retried', () => {
    const svg = wholePicture(DEFINITION);

    expect(svg.match(/<g class="node /g)).toHaveLength(
      Object.keys((JSON.parse(DEFINITION) as { States: object }).States).length,
    );
    expect(svg.match(/marker-end/g)).toHaveLength(whole.edges.length);
    expect(svg.match(/↻/g)).toHaveLength(whole.nodes.filter(({ hasRetry }) => hasRetry).length);
  });

  test('without them: what only a service error leads to is left out, and nothing else', () => {
    const left = whole.nodes.filter(({ name }) => !drawn.nodes.some(node => node.name === name));

    expect(left.map(({ name }) => name).sort()).toEqual([STATE.letStepEnd, STATE.resultUnavailable].sort());
    expect(drawn.edges.filter(({ isCatch }) => !isCatch)).toEqual(
      whole.edges.filter(({ isCatch, from }) => !isCatch && from !== STATE.letStepEnd),
    );
    const catchers = drawn.edges.filter(({ isCatch }) => isCatch).map(({ from, to }) => [from, to]);
    expect(catchers).toEqual(
      expect.arrayContaining([
        [STATE.claim, STATE.read],
        [STATE.claim, STATE.invalidEvent],
        [STATE.step, STATE.failed],
        [STATE.takeOver, STATE.read],
      ]),
    );
    expect(catchers).not.toContainEqual([STATE.callRecovery, STATE.inProgress]);
  });
});
