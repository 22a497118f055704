import { STATE } from '../../state-machine/contract/state-names';
import { arrow, group, picture, rectangle, text } from './svg';

const BOX = { width: 140, height: 56, top: 38 };
const [PITCH, MARGIN] = [169, 7];
const BELOW = 168;

/** A delivery in six boxes: the way of the first one from left to right, and below it where duplicates end. */
export function overviewPicture(): string {
  const boxes = [
    ['Source', 'bus, queue, HTTP …'],
    ['Dispatcher', 'starts it by its key'],
    [STATE.claim, 'one delivery wins'],
    [STATE.step, 'your function'],
    [STATE.completed, 'stores the result'],
  ] as const;
  const leftOf = (index: number) => MARGIN + index * PITCH;
  const middle = BOX.top + BOX.height / 2;
  const frame = { left: leftOf(2) - 12, top: 8, width: 2 * PITCH + BOX.width + 16, height: 98 };
  const duplicate = { left: leftOf(1), top: BELOW, width: PITCH + BOX.width, height: 70 };
  const width = 2 * MARGIN + 4 * PITCH + BOX.width;
  return picture(
    'A delivery: the first one runs the business step, a duplicate runs nothing',
    area(width, 246),
    [
      group('frame', [rectangle(frame, 8)]),
      text('label', frame.left + 12, 24, ['Workflow']),
      ...boxes.slice(1).map((_, index) => {
        return arrow('', `M${leftOf(index) + BOX.width},${middle} L${leftOf(index + 1)},${middle}`);
      }),
      ...[
        { index: 1, when: ['its key was', 'delivered before'] },
        { index: 2, when: ['its key has', 'a record'] },
      ].flatMap(({ index, when }) => {
        const x = leftOf(index) + BOX.width / 2;
        const line = arrow('', `M${x},${BOX.top + BOX.height} L${x},${BELOW}`);
        return [line, text('label', x + 8, 134, when)];
      }),
      ...boxes.map(([name, what], index) => {
        const kind = ['node', index === 0 ? 'start' : '', index === 4 ? 'end' : ''].join(' ').trim();
        const box = { ...BOX, left: leftOf(index) };
        const x = box.left + BOX.width / 2;
        return group(kind, [
          rectangle(box, 5),
          text('middle', x, middle - 9, [name]),
          text('label middle', x, middle + 9, [what]),
        ]);
      }),
      group('node end', [
        rectangle(duplicate, 5),
        text('middle', duplicate.left + duplicate.width / 2, BELOW + 18, ['Duplicate']),
        text('label middle', duplicate.left + duplicate.width / 2, BELOW + 44, [
          'nothing runs again;',
          'a caller gets the stored result',
        ]),
      ]),
    ],
  );
}

function area(width: number, height: number) {
  return { left: 0, top: 0, width, height };
}
