import { isSameQueue } from '../../../cli/aws/queue-address';

describe('whether two URLs are of one queue', () => {
  test.each([
    ['https://sqs.us-east-1.amazonaws.com/111111111111/dead', true],
    ['http://127.0.0.1:8083/222222222222/dead', false],
    ['http://127.0.0.1:8083/111111111111/other', false],
  ])('http://localhost:8083/111111111111/dead and %s: %s', (other, expected) => {
    expect(isSameQueue('http://localhost:8083/111111111111/dead', other)).toBe(expected);
  });
});
