import { framesPerSecond, millisecondsToPaint, type TraceEvent } from '../../../proof/bench/console/trace';

function at(ms: number, name: string): TraceEvent {
  return { name, ts: ms * 1000 };
}

describe('the first paint', () => {
  const OPENED = [
    at(0, 'navigationStart'),
    at(100, 'navigationStart'),
    at(150, 'DrawFrame'),
    at(300, 'first'),
    at(310, 'DrawFrame'),
    at(400, 'DrawFrame'),
  ];

  test('is the first frame behind the mark, counted from the navigation before it', () => {
    expect(millisecondsToPaint(OPENED, 'first')).toBe(210);
  });

  test('no mark, or no frame behind it: a fault', () => {
    expect(() => millisecondsToPaint(OPENED, 'all')).toThrow("the trace has no mark 'all'");
    expect(() => millisecondsToPaint(OPENED.slice(0, 4), 'first')).toThrow('no frame');
  });
});

describe('frames per second', () => {
  test('those that the page itself has drawn, between the marks', () => {
    const events = [
      at(0, 'Layerize'),
      at(100, 'begin'),
      ...Array.from({ length: 15 }, (_, index) => at(101 + index, 'Layerize')),
      at(120, 'DrawFrame'),
      at(600, 'end'),
      at(700, 'Layerize'),
    ];

    expect(framesPerSecond(events)).toBe(30);
  });
});
