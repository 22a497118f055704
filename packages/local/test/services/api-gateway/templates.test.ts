import type { Json } from '../../../json/json';
import { escapeJavaScript, urlDecode, urlEncode } from '../../../services/api-gateway/java-text';
import { mappingVariables } from '../../../services/api-gateway/mapping-context';
import { evaluateTemplate } from '../../../services/api-gateway/vtl/evaluate';
import { parseTemplate } from '../../../services/api-gateway/vtl/parse';

const PARAMETERS = {
  path: { id: 'from path' },
  querystring: { id: 'from query', only: 'in query' },
  header: { id: 'from header', 'Idempotency-Key': '"k\'1"' },
};

const BODY = {
  a: { 'b c': [1, 2.5, 'x'] },
  list: [{ n: 1 }, { n: 2 }],
  text: 'it\'s "so" / é',
  none: null,
};

/** What a template makes of the request above; the message of what is wrong with it in its place. */
function made(text: string, body: Json | string = BODY, msMax?: number): string {
  const parsed = parseTemplate(text);
  if (parsed.kind === 'problem') return parsed.message;
  const { variables, responseOverride } = mappingVariables({
    body: typeof body === 'string' ? body : JSON.stringify(body),
    parameters: PARAMETERS,
    context: { requestId: 'r-1', identity: { userArn: null } },
    stageVariables: { colour: 'blue' },
  });
  try {
    const printed = evaluateTemplate(parsed.template, variables, msMax);
    const { status, headers } = responseOverride();
    return `${printed}${status ?? ''}${[...headers].join(';')}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('a mapping template', () => {
  test.each<[template: string, printed: string]>([
    ['$input.body.length()', '87'],
    ["$input.path('$..n')", '[1, 2]'],
    ["$input.json('$.list[?(@.n > 1)]')", '[{"n":2}]'],
    ["$input.path('$.a')", '{b c=[1, 2.5, x]}'],
    ['$input.path(\'$.a["b c"][2]\')', 'x'],
    ["$input.path('$.list[*].n')", '[1, 2]'],
    ["$input.path('$.list')[1].n", '2'],
    ["[$input.path('$.nowhere')$input.path('$.none').deep$nothing.at.all]", '[]'],
    ["$input.json('$.a')", '{"b c":[1,2.5,"x"]}'],
    ["$input.json('$.text')", JSON.stringify(BODY.text)],
    ["$input.json('$.nowhere')", '""'],
    ["$input.params('id')|$input.params('only')|$input.params('none')", 'from path|in query|'],
    ["$input.params().header.get('Idempotency-Key')", '"k\'1"'],
    ['#foreach($n in $input.params().header.keySet())$n#if($foreach.hasNext),#end#end', 'id,Idempotency-Key'],
    ['$context.requestId$context.identity.userArn$stageVariables.colour', 'r-1blue'],
    ["$util.base64Encode('é')$util.base64Decode('w6k=')", 'w6k=é'],
    ['$util.parseJson(\'{"a": [1, {"b": 2}]}\').a[1].b', '2'],
  ])('%s: %s', (template, printed) => {
    expect(made(template)).toBe(printed);
  });

  test.each<[template: string, printed: string]>([
    ['#if($x)a#elseif(1 == 2)b#else{"c"}#end', '{"c"}'],
    ['#set($x = "v")#if($x == "v" && !$y)\n{"a":"$x"}\n#end\nend', '{"a":"v"}\nend'],
    ['#set($x = "")#if($x)an empty text is true#end', 'an empty text is true'],
    ['#set($o = {"a": {"b": "c"}})$o.a.b{"x"}${o.a.b}d', 'c{"x"}cd'],
    ['#set($l = [])#set($ok = $l.add(2))$l[0] $l.size()', '2 1'],
    ['#set($q = \'"\')$q#set($s = "a$q$q")$s.length()', '"3'],
    ['#foreach($i in [1..3])$i#if($foreach.count == 2)#break#end#end', '12'],
    ['#foreach($e in {"a": 1}.entrySet())$e#end', 'is no template in VTL: ) is missing in line 1'],
    ['#set($m = {"a": 1})#foreach($e in $m.entrySet())$e.key=$e.value#end', 'a=1'],
    ['#set($n = 7 / 2 + 2 * 3 - 1)$n #set($m = 7 % 0)[$m]', '8 []'],
    ['#set($x = 1)#set($x = $nothing)$x', '1'],
    ['a ## a comment\nb #* another *# c #[[ $raw #if ]]#', 'a b  c  $raw #if '],
    ['costs $5, \\$x, #1, $, [$input.params("id")]', 'costs $5, $x, #1, $, [from path]'],
    ['$util.escapeJavaScript("it\'s").replaceAll("\\\\\'","\'")', "it's"],
    ["#set($a = 'a-b-c')$a.replaceAll('(\\w)-', '$1+') $a.split('-').get(2) $a.substring(2, 3)", 'a+b+c c b'],
    ['#set($a = "aXb")$a.toLowerCase()$a.indexOf("X")$a.contains("x")$a.matches("a.b")', 'axb1falsetrue'],
  ])('%s: %s, as Velocity', (template, printed) => {
    expect(made(template)).toBe(printed);
  });

  test.each<[template: string, made: string]>([
    ['#set($context.responseOverride.status = 422)', '422'],
    ['#set($context.responseOverride.status = "422")', ''],
    ['#set($context.responseOverride.status = 600)', ''],
    ['#set($context.responseOverride.status = $util.parseJson("{""s"": 201}").s)', '201'],
    ['#set($context.responseOverride.header.Retry-After = 3)', 'Retry-After,3'],
    ['#set($n = "A-B")#set($context.responseOverride.header[$n] = "c")', 'A-B,c'],
    [
      '#set($context.responseOverride.status = 422)#set($context.responseOverride.status = 422)',
      'the status of the response is set a second time',
    ],
    [
      '#set($h = $context.responseOverride.header)#set($h.a = 1)#set($h.a = 1)',
      'the header a of the response is set a second time',
    ],
  ])('%s: the answer has %s', (template, answer) => {
    expect(made(template)).toBe(answer);
  });

  test.each<[template: string, problem: string]>([
    ['#if($x)', 'is no template in VTL: #end of an #if is missing in line 1'],
    ['a\n#end', 'is no template in VTL: #end has no #if or #foreach in line 2'],
    ['#set($x 1)', 'is no template in VTL: = is missing in line 1'],
    ['#macro(f)x#end', 'is no template in VTL: the directive #macro, which is not built, is in line 1'],
    ['$input.body.getClass()', 'the method getClass of a string is not built'],
    ["$input.path('$.a b')", "$.a b is no JSON path: expected a step, found ' ' at position 4"],
    ["$input.path('$$.a')", 'the JSON path $$.a does not begin with $.'],
    ['$input.constructor.name$util.__proto__', ''],
    ['#foreach($i in [1..2000000])#end', 'a range in it is too long'],
    ...[
      '$a.replaceAll("a", $a)',
      '$a.replaceAll("(.*)", "$1$1")',
      '$a.replace("a", $a)',
      '$a.concat($a)',
      '$a + $a',
    ].map((grown): [string, string] => [
      `#set($a = "aaaaaaaaaa")#foreach($i in [1..60])#set($a = ${grown})#end$a.length()`,
      'a text in it is longer than 10 MB',
    ]),
    ['#foreach($i in [1..400])#foreach($j in [1..400])x#end#end', 'it takes more than 100000 steps'],
  ])('%s: %s', (template, problem) => {
    expect(made(template)).toBe(problem);
  });

  test('a body of more than 10 MB: not escaped', () => {
    const body = '/'.repeat(10 * 1024 * 1024 + 1);
    expect(made('$util.escapeJavaScript($input.body)', body)).toBe('a text in it is longer than 10 MB');
  });

  test('a regular expression that would never end: ended', () => {
    const template = `#set($a = '${'a'.repeat(40)}b')$a.matches('(a+)+c')`;
    expect(made(template, BODY, 20)).toBe('it has not ended after 20 ms');
  });

  test('a body that is no JSON: said when it is asked for, and not before', () => {
    expect(made('$input.body', 'x{')).toBe('x{');
    expect(made("$input.json('$')", 'x{')).toBe('Could not parse request body into json');
  });

  test.each(['$input.body', "$input.json('$')", "$input.path('$')"])('an empty body: %s is {}', template => {
    expect(made(template, '')).toBe('{}');
  });
});

describe('texts as Java writes them', () => {
  test('escapeJavaScript: as Apache commons-lang 2, quotes and slashes both ways', () => {
    const text = '\'"/\\\b\n\t\f\r\u0001\u007f\u0080ÿĀ\u2028😀 ~';
    expect(escapeJavaScript(text)).toBe(
      '\\\'\\"\\/\\\\\\b\\n\\t\\f\\r\\u0001\u007f\\u0080\\u00FF\\u0100\\u2028\\uD83D\\uDE00 ~',
    );
  });

  test('urlEncode and urlDecode: a space is a plus, only letters, digits and .-*_ stay', () => {
    const text = "a b+c*d~e'(é)/!-_.";
    expect(urlEncode(text)).toBe('a+b%2Bc*d%7Ee%27%28%C3%A9%29%2F%21-_.');
    expect(urlDecode(urlEncode(text))).toBe(text);
    expect(urlDecode('%zz')).toBeUndefined();
  });
});
