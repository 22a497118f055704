import { InvocationLog } from '../../../services/lambda/invocation-log';
import { functionSpec } from './fixture';

const logged = (lines: readonly string[]) => {
  const log = new InvocationLog(functionSpec({ memoryMb: 256 }), 'r');
  for (const line of lines) log.add(line);
  return Buffer.from(log.tail(12.345), 'base64').toString();
};

describe('the log of an invocation', () => {
  const REPORT = 'REPORT RequestId: r\tDuration: 12.35 ms\tBilled Duration: 13 ms\tMemory Size: 256 MB\n';

  test('the lines of the function between those of the service', () => {
    expect(logged(['a', 'b'])).toBe(`START RequestId: r Version: $LATEST\na\nb\nEND RequestId: r\n${REPORT}`);
  });

  test('above 4 kB: its end', () => {
    const log = logged(['x'.repeat(5000)]);

    expect(log).toHaveLength(4096);
    expect(log.endsWith(`x\nEND RequestId: r\n${REPORT}`)).toBe(true);
  });
});
