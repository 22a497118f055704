import { duplicateMemberIn } from '../../json/duplicate-member';

test.each([
  ['{"a":1,"a":2}', 'a'],
  ['{"a":{"b":[0,{"c":1},{"c":1,"d":[],"c":2}]}}', 'a.b[2].c'],
  ['[{"x":{"x":1}},{"x":1,"\\u0078":2}]', '[1].x'],
  ['{"a,}":{"[":1,"[":2}}', 'a,}.['],
  ['{"":1,"":2}', ''],
])('%s has a member twice', (text, path) => {
  expect(duplicateMemberIn(text)).toBe(path);
});

test.each([
  ['{"a":{"a":1},"b":{"a":"a"}}'],
  ['[{"a":1},{"a":1}]'],
  ['{"a":"x\\"a\\":{","b":"\\\\","c":["a","a"]}'],
  ['{"a":"a","A":"a","__proto__":1,"constructor":2}'],
  ['"a"'],
  ['null'],
])('%s has no member twice', text => {
  expect(duplicateMemberIn(text)).toBeUndefined();
});
