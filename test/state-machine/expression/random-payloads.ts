import type { Draws } from './random-keys';

/** Values that are lists, of `_`. */
const LISTS = [
  ...[
    '$keys(_)',
    '$sort($keys(_))',
    '_ ~> $keys ~> $sort',
    '$spread(_)',
    '_.*',
    '_.**',
    '$sort(_.*)',
    '$states.input.items',
  ],
  ...[
    '$each(_, function($v, $k) { $k })',
    '$each(_, function($v, $k) { {$k: $v} })',
    '$distinct(_.*)',
    '$reverse($keys(_))',
  ],
  ...[
    "$keys(_).{'name': $}",
    '$keys(_)[$ != "a"]',
    '$map($keys(_), function($k, $i) { $i })',
    '$keys(_)^($)',
  ],
  ...[
    '$map($keys(_), function($k) { $lookup($states.input, $k) })',
    '$filter($keys(_), function($k) { $k > "a" })',
  ],
  ...[
    '[_, _.a]',
    '[[_], [_.a]]',
    '$append(_, _.a)',
    '$zip(_, _.a)',
    '$states.input.items^(kind)',
    '$keys(_)^($length($))',
  ],
];

/** Values that are not, of `_` and of a list in `#`. */
const VALUES = [
  ...[
    '_',
    '_',
    "_.{'a': a, 'k': kind}",
    '$sift(_, function($v, $k) { $k != "a" })',
    '_ ~> |$|{}, ["a", "at"]|',
    '$merge(#)',
  ],
  ...[
    '_ ~> |**|{}, ["a"]|',
    '_ ~> |*|{"n": 1}|',
    '_ ~> |**|{"n": $keys($)[0]}|',
    '$merge([_, {"b": 1}])',
    '#',
    '#',
    '#[0]',
  ],
  ...[
    '$count(#)',
    '$sum(#)',
    '$max(#)',
    '$exists(#)',
    '"a" in #',
    '# = "a"',
    '$reduce(#, function($x, $y) { $x })',
  ],
  ...[
    '{"all": #}',
    '$states.input.items{(kind): $sum(a)}',
    '#{"k": $}',
    '$string(_)',
    '_ & "x"',
    '$type(#)',
    '$join(#)',
  ],
  ...[
    "$toMillis(_.at, '[H01]:[m01]')",
    '$now()',
    '{"at": $now(), "a": _}',
    '$lookup(_, "a")',
    '$lookup(_, #[0])',
  ],
  ...[
    '( $f := function($o) { $merge($each($o, function($v, $k) { {$k: $v} })) }; $f(_) )',
    '$single(#, function($v) { $v = "7" })',
  ],
  ...[
    '( $l := #; $sort($l) )',
    '( $l := #; $l[0] )',
    '( $s := $sort; $s(#) )',
    '$merge(#.{"x": $})',
    '#@$i.{"i": $i}',
    '#[1]',
  ],
  ...[
    '$map(#, $uppercase)',
    '$keys(_)#$i.{"i": $i, "k": $}',
    '$formatBase(_.b)',
    '$lowercase(_.a)',
    '_.a ? _.a : #',
  ],
];

/** JSONata of a payload, accepted or not. `often`: one of the values, which is drawn half of the time. */
export function randomPayload(draws: Draws, often?: string, depth = 2): string {
  const of =
    depth > 0 && draws.isOne(3)
      ? `(${randomPayload(draws, often, depth - 1)})`
      : draws.from(['$states.input', '$states.input.inner']);
  const list = draws.from(LISTS).replaceAll('_', of);
  const value = often !== undefined && draws.isOne(2) ? often : draws.from(VALUES);
  return value
    .replaceAll('_', of)
    .replaceAll('#$', '\u0000')
    .replaceAll('#', list)
    .replaceAll('\u0000', '#$');
}
