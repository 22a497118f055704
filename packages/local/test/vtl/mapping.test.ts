import type { Json } from '../../json/json';
import { EvaluationThreads } from '../../runtime/evaluation/thread-pool';
import { escapeJavaScript, urlDecode, urlEncode } from '../../vtl/java-text';
import {
  evaluateMapping,
  evaluateMappingAtOnce,
  type MappingJob,
  type MappingResult,
} from '../../vtl/mapping';
import { parseTemplate } from '../../vtl/parse';

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

/** The evaluation of a template for the request above. */
function jobOf(text: string, body: Json | string = BODY): MappingJob {
  const parsed = parseTemplate(text);
  if (parsed.kind === 'problem') throw new Error(parsed.message);
  return {
    template: parsed.template,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    parameters: PARAMETERS,
    context: { requestId: 'r-1', identity: { userArn: null } },
    stageVariables: { colour: 'blue' },
  };
}

/** What a template has printed and set; the message of its fault instead. */
function printed(result: MappingResult): string {
  if (result.kind !== 'mapped') return result.problem;
  const { status, headers } = result.override;
  return `${result.text}${status ?? ''}${[...headers].join(';')}`;
}

/** What a template makes of the request above; the message of its fault instead. */
function made(text: string, body: Json | string = BODY): string {
  const parsed = parseTemplate(text);
  return parsed.kind === 'problem' ? parsed.message : printed(evaluateMapping(jobOf(text, body)));
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
  ])('%s: %s', (template, text) => {
    expect(made(template)).toBe(text);
  });

  test.each<[template: string, printed: string]>([
    ['#if($x)a#elseif(1 == 2)b#else{"c"}#end', '{"c"}'],
    ['#set($x = "v")#if($x == "v" && !$y)\n{"a":"$x"}\n#end\nend', '{"a":"v"}\nend'],
    ['#set($x = "")#if($x)an empty text is true#end', 'an empty text is true'],
    ['#set($o = {"a": {"b": "c"}})$o.a.b{"x"}${o.a.b}d', 'c{"x"}cd'],
    ['#set($l = [])#set($ok = $l.add(2))$l[0] $l.size()', '2 1'],
    ['#set($q = \'"\')$q#set($s = "a$q$q")$s.length()', '"3'],
    ['#foreach($i in [1..3])$i#if($foreach.count == 2)#break#end#end', '12'],
    ['#foreach($e in {"a": 1}.entrySet())$e#end', 'is not a valid VTL template: ) is missing in line 1'],
    ['#set($m = {"a": 1})#foreach($e in $m.entrySet())$e.key=$e.value#end', 'a=1'],
    ['#set($n = 7 / 2 + 2 * 3 - 1)$n #set($m = 7 % 0)[$m]', '8 []'],
    ['#set($x = 1)#set($x = $nothing)$x', '1'],
    ['a ## a comment\nb #* another *# c #[[ $raw #if ]]#', 'a b  c  $raw #if '],
    ['costs $5, \\$x, #1, $, [$input.params("id")]', 'costs $5, $x, #1, $, [from path]'],
    ['$util.escapeJavaScript("it\'s").replaceAll("\\\\\'","\'")', "it's"],
    ["#set($a = 'a-b-c')$a.replaceAll('(\\w)-', '$1+') $a.split('-').get(2) $a.substring(2, 3)", 'a+b+c c b'],
    ['#set($a = "aXb")$a.toLowerCase()$a.indexOf("X")$a.contains("x")$a.matches("a.b")', 'axb1falsetrue'],
  ])('%s: %s, as Velocity', (template, text) => {
    expect(made(template)).toBe(text);
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
    ['#if($x)', 'is not a valid VTL template: #end of an #if is missing in line 1'],
    ['a\n#end', 'is not a valid VTL template: #end has no #if or #foreach in line 2'],
    ['#set($x 1)', 'is not a valid VTL template: = is missing in line 1'],
    ['#macro(f)x#end', 'is not a valid VTL template: the directive #macro, which is not built, is in line 1'],
    ['$input.body.getClass()', 'the method getClass of a string is not built'],
    ["$input.path('$.a b')", "$.a b is not a JSON path: expected a step, found ' ' at position 4"],
    ["$input.path('$$.a')", 'the JSON path $$.a does not begin with $.'],
    ['$input.constructor.name$util.__proto__', ''],
    ['#foreach($i in [1..2000000])#end', 'it takes more than 100000 steps'],
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

  test('a body that is not JSON: said when it is asked for, and not before', () => {
    expect(made('$input.body', 'x{')).toBe('x{');
    expect(made("$input.json('$')", 'x{')).toBe('Could not parse request body into json');
  });

  test.each(['$input.body', "$input.json('$')", "$input.path('$')"])('an empty body: %s is {}', template => {
    expect(made(template, '')).toBe('{}');
  });
});

const LETTERS = `${'a'.repeat(40)}!`;
const TEN_MB = 'a'.repeat(10 * 1024 * 1024 - 1);
const SIXTY_TIMES = '#set($l = [1])#foreach($i in [1..60])#set($l = [$l, $l])#end';

const SELF_COMPARED =
  '#set($a = [])#set($b = [])#set($ok = $a.add($a))#set($ok = $b.add($b))#if($a == $b)x#end';
const ADD_ALL = '#set($l = [])#foreach($i in [1..1000])#set($ok = $l.addAll([1..1000]))#end$l.size()';
const DOUBLED = '#set($l = [1])#foreach($i in [1..60])#set($ok = $l.addAll($l))#end$l.size()';
const MADE_TEXTS =
  '#set($m = {})#foreach($i in [1..100])#set($ok = $m.put("$i", $input.body.toUpperCase()))#end$m.size()';

describe('a template that is a bomb', () => {
  test.each<[what: string, template: string, body: string, problem: string]>([
    ['a list in itself, printed', '#set($l = [])#set($ok = $l.add($l))$l', '', 'has more than 1000 levels'],
    ['a list in itself, compared', SELF_COMPARED, '', 'has more than 1000 levels'],
    [
      'a list twice in itself, 60 times, printed',
      `${SIXTY_TIMES}$l`,
      '',
      'it makes texts of more than 134217728 characters',
    ],
    ['items that addAll adds', ADD_ALL, '', 'it takes more than 100000 steps'],
    ['a list that doubles', DOUBLED, '', 'it takes more than 100000 steps'],
    ['texts that a method makes', MADE_TEXTS, TEN_MB, 'it makes texts of more than 134217728 characters'],
    ['a deep body', "$input.path('$')", '['.repeat(100_000), 'Could not parse request body into json'],
    ['deep JSON', '$util.parseJson($input.body)', '['.repeat(100_000), 'JSON that is nested too deeply'],
  ])('%s: ended with a sentence', (_, template, body, problem) => {
    expect(made(template, body)).toContain(problem);
  });

  test('parentheses without an end: no template', () => {
    const parsed = parseTemplate(`#if(${'('.repeat(200_000)}`);
    expect(parsed).toEqual({ kind: 'problem', message: 'is nested too deeply' });
  });
});

describe('a template that takes long', () => {
  const threads = new EvaluationThreads();
  afterAll(() => threads.close());

  test.each<[what: string, template: string, body: string]>([
    ['matches that goes back', '$input.body.matches("(a+)+b")', LETTERS],
    ['replaceAll that goes back', '$input.body.replaceAll("(a|a)*$", "")', LETTERS],
    ['split that goes back', '$input.body.split("(x+x+)+y")', 'x'.repeat(60)],
    ['a path that looks everywhere', "$input.path('$..a')", '{}'],
    ['a large body', '$util.escapeJavaScript($input.body)', TEN_MB],
    [
      'a thousand times a long text',
      '#foreach($i in [1..1000])$input.body.contains("b")#end',
      'a'.repeat(10_000),
    ],
    ['twice a hundred loops', '#foreach($i in [1..100])#foreach($j in [1..100])x#end#end', ''],
  ])('%s: not at once', (_, template, body) => {
    expect(evaluateMappingAtOnce(jobOf(template, body))).toBeUndefined();
  });

  test('of ordinary size: at once, the same as elsewhere', async () => {
    const job = jobOf('$util.escapeJavaScript("it\'s").replaceAll("\\\\\'","\'")$input.json(\'$.a\')');
    const known = evaluateMappingAtOnce(job);

    expect(known).toEqual({
      kind: 'mapped',
      text: 'it\'s{"b c":[1,2.5,"x"]}',
      override: { headers: new Map() },
    });
    expect(await threads.evaluateMapping(job, {})).toEqual(known);
  });

  test('an expression that never ends: others are answered meanwhile, and it is ended', async () => {
    let isEnded = false;
    const hopeless = threads
      .evaluateMapping(jobOf('$input.body.matches("(a+)+b")', LETTERS), {})
      .finally(() => {
        isEnded = true;
      });
    // A turn of the event loop, and an evaluation for another caller, each come before its end.
    await new Promise(resolve => setImmediate(resolve));
    const isEndedFirst = isEnded;
    const other = await threads.evaluateMapping(jobOf("$input.path('$..a')", '{"a":1}'), {});

    expect({ isEndedFirst, other: printed(other) }).toEqual({ isEndedFirst: false, other: '[1]' });
    expect(printed(await hopeless)).toBe('it has not ended after 1000 ms');
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
